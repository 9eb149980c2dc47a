import { Panel } from '#app/shell/panel.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ViewSkeleton } from '../../issue-skeleton.tsx';

const ROWS = Array.from({ length: 12 }, (_, id) => id);

/** The shape of the list while it loads. */
export default function IssueEventsLoading() {
  return (
    <ViewSkeleton what="Events">
      <Panel>
        <div className="h-9 border-b" />
        {ROWS.map((id) => (
          <div key={id} className="flex h-[53px] items-center gap-6 border-b px-4 last:border-b-0">
            <Skeleton className="h-3.5 w-1/4" />
            <Skeleton className="h-3.5 w-1/6" />
            <Skeleton className="h-3.5 w-1/6" />
            <Skeleton className="hidden h-3.5 flex-1 sm:block" />
          </div>
        ))}
      </Panel>
    </ViewSkeleton>
  );
}
