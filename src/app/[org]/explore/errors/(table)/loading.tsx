import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function ExploreLoading() {
  return (
    <Page title="Explore errors" description="Search and aggregate your events.">
      <div className="mb-3 flex gap-2">
        {[0, 1, 2].map((filter) => (
          <Skeleton key={filter} className="h-8 w-36" />
        ))}
      </div>
      <Skeleton className="mb-3 h-9 w-full" />
      <Skeleton className="mb-3 h-[254px] w-full" />
      <Skeleton className="mb-3 h-8 w-full" />
      <div aria-busy className="rounded-lg border bg-surface-raised">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex h-14 items-center gap-6 border-b px-4 last:border-b-0">
            <Skeleton className="h-4 w-64" />
            <Skeleton className="ml-auto h-4 w-80 max-w-[50%]" />
          </div>
        ))}
      </div>
    </Page>
  );
}
