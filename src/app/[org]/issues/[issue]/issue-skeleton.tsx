import type { ReactNode } from 'react';
import { SlowNotice } from '#app/shell/slow-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Where the links to the views will be; the header above stays. */
function TabsSkeleton() {
  return <div className="mb-3 h-9 border-b" />;
}

/** The shape of an issue's page while it loads. */
export function IssueSkeleton() {
  return (
    <div aria-busy="true">
      <span className="sr-only">Loading issue</span>
      <SlowNotice />
      <TabsSkeleton />
      <div className="mb-3 flex gap-2">
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-8 w-36" />
        <Skeleton className="h-8 flex-1" />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="space-y-3">
          <Skeleton className="h-46 rounded-lg" />
          <Skeleton className="h-9 w-72 max-w-full" />
          <Skeleton className="h-100 rounded-lg" />
        </div>
        <div className="space-y-4">
          <Skeleton className="h-36 rounded-lg" />
          <Skeleton className="h-88 rounded-lg" />
        </div>
      </div>
    </div>
  );
}

const ROWS = Array.from({ length: 6 }, (_, id) => id);

/** The shape of a view of an issue while it loads. `what` is called in the plural. */
export function ViewSkeleton({ what, children }: { what: string; children?: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className="sr-only">{what} are loading</span>
      <SlowNotice />
      <TabsSkeleton />
      <Skeleton className="mb-4 h-8 w-80 max-w-full" />
      {children ?? (
        <div className="space-y-4">
          {ROWS.map((id) => (
            <Skeleton key={id} className="h-20 w-full rounded-lg" />
          ))}
        </div>
      )}
    </div>
  );
}
