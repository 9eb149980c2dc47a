import { SlowNotice } from '#app/shell/slow-notice.tsx';
import { Card } from '#ui/card.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { TopTagsSkeleton } from './overview/top-tags.tsx';
import { TrendCardSkeleton } from './overview/trend-card.tsx';

/** The shape of an issue's page while it loads. */
export function IssueSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-[1440px] px-4 pt-1 sm:px-6">
      <span className="sr-only">Loading issue</span>
      <SlowNotice />
      <div className="mb-4 h-9 border-b" />
      <div className="mb-4 flex flex-wrap justify-between gap-4">
        <div className="min-w-0 flex-1">
          <Skeleton className="mb-3 h-6 w-3/5" />
          <Skeleton className="h-4 w-4/5" />
        </div>
        <div className="flex gap-2">
          <Skeleton className="h-8 w-24" />
          <Skeleton className="h-8 w-24" />
          <Skeleton className="h-8 w-28" />
        </div>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="space-y-4">
          <TrendCardSkeleton />
          <Card title={<Skeleton className="h-4 w-56" />}>
            <Skeleton className="h-32 w-full" />
          </Card>
          <Card title={<Skeleton className="h-4 w-32" />}>
            <Skeleton className="h-64 w-full" />
          </Card>
        </div>
        <div className="space-y-4">
          <TopTagsSkeleton />
          <Skeleton className="h-36 w-full rounded-lg" />
        </div>
      </div>
    </div>
  );
}

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
