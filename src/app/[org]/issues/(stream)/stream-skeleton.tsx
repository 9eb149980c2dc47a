import { Skeleton } from '#ui/skeleton.tsx';
import { SlowNotice } from '../../../shell/slow-notice.tsx';

const ROWS = Array.from({ length: 12 }, (_, index) => ({
  id: index,
  width: ['62%', '48%', '71%', '55%'][index % 4],
}));

/** The shape of the stream while it loads. */
export function StreamSkeleton() {
  return (
    <div aria-busy="true" className="w-full px-4 pt-4 sm:px-6">
      <span className="sr-only">Loading issues</span>
      <SlowNotice />
      <div className="mb-3 flex gap-2">
        <Skeleton className="h-8 w-36" />
        <Skeleton className="h-8 w-40" />
      </div>
      <Skeleton className="mb-3 h-9 w-full rounded-md" />
      <div className="flex h-[41px] items-center gap-5 rounded-t-lg border bg-surface-raised px-4">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 w-16" />
        <Skeleton className="h-4 w-20" />
      </div>
      <div className="rounded-b-lg border border-t-0 bg-surface-raised">
        <div className="h-9 border-b bg-surface-sunken" />
        {ROWS.map((row) => (
          <div key={row.id} className="flex h-11 items-center gap-4 border-b px-4 last:border-b-0">
            <Skeleton className="size-4" />
            <div className="min-w-0 flex-1">
              <div style={{ width: row.width }}>
                <Skeleton className="mb-1.5 h-3" />
              </div>
              <Skeleton className="h-3 w-1/3" />
            </div>
            <Skeleton className="hidden h-6 w-32 lg:block" />
            <Skeleton className="h-3.5 w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}
