import { SlowNotice } from '#app/frame/slow-notice.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const ROWS = Array.from({ length: 6 }, (_, id) => id);

/** The shape of a view of an issue while it loads. `what` is called in the plural. */
export function ViewSkeleton({ what }: { what: string }) {
  return (
    <PageBody>
      <div aria-busy="true">
        <span className="sr-only">{what} are loading</span>
        <SlowNotice />
        <div className="-mt-4 mb-4 h-9 border-b" />
        <Skeleton className="mb-3 h-6 w-56" />
        <Skeleton className="mb-6 h-4 w-80 max-w-full" />
        <div className="space-y-4">
          {ROWS.map((id) => (
            <Skeleton key={id} className="h-20 w-full rounded-lg" />
          ))}
        </div>
      </div>
    </PageBody>
  );
}
