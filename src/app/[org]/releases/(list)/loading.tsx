import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function ReleasesLoading() {
  return (
    <Page title="Releases" description="Versions of your apps with their health and new issues.">
      <div className="mb-3 flex gap-2">
        {[0, 1, 2].map((filter) => (
          <Skeleton key={filter} className="h-8 w-36" />
        ))}
      </div>
      <Skeleton className="mb-3 h-9 w-full" />
      <div aria-busy className="rounded-lg border bg-surface-raised">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex h-14 items-center gap-6 border-b px-4 last:border-b-0">
            <Skeleton className="h-4 w-44" />
            <Skeleton className="h-4 w-24" />
            <Skeleton className="ml-auto h-4 w-72 max-w-[40%]" />
          </div>
        ))}
      </div>
    </Page>
  );
}
