import { PageBody } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function AlertsLoading() {
  return (
    <PageBody>
      <div aria-busy>
        <p role="status" className="sr-only">
          Loading
        </p>
        <Skeleton className="h-6 w-24" />
        <Skeleton className="mt-3 mb-6 h-4 w-80 max-w-full" />
        <Skeleton className="mb-3 h-8 w-40" />
        <div className="divide-y rounded-lg border bg-surface-raised">
          {[0, 1, 2, 3].map((row) => (
            <div key={row} className="flex items-center gap-4 px-4 py-3">
              <div className="min-w-0 flex-1">
                <Skeleton className="h-4 w-52 max-w-full" />
                <Skeleton className="mt-2 h-3 w-96 max-w-full" />
              </div>
              <Skeleton className="h-5 w-16" />
            </div>
          ))}
        </div>
      </div>
    </PageBody>
  );
}
