import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function ProjectsLoading() {
  return (
    <Page
      title="Projects"
      description="Each app or service that reports errors is a project with its own DSN."
    >
      <div aria-busy className="rounded-lg border bg-surface-raised">
        {[0, 1, 2].map((row) => (
          <div key={row} className="flex items-center gap-4 border-b px-4 py-3.5 last:border-b-0">
            <Skeleton className="size-8" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="ml-auto h-8 w-64 max-w-[40%]" />
          </div>
        ))}
      </div>
    </Page>
  );
}
