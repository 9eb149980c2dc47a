import { Pager } from '#app/[org]/cursor-pager.tsx';
import { formatExact } from '#ui/format-number.ts';
import { GROUPS_PER_PAGE, type PerformancePlace, performanceHref } from './performance-state.ts';

/** Which groups a page shows, and the way to the others. */
export function PerformancePager({
  place,
  shown,
  distinct,
  hasMore,
}: {
  place: PerformancePlace;
  shown: number;
  distinct: number;
  hasMore: boolean;
}) {
  const { offset } = place.state;
  return (
    <Pager
      firstHref={offset === 0 ? null : performanceHref(place)}
      nextHref={hasMore ? performanceHref(place, { offset: offset + GROUPS_PER_PAGE }) : null}
    >
      <span className="numbers mr-auto text-text-muted text-xs">
        {formatExact(offset + 1)}–{formatExact(offset + shown)} of {formatExact(distinct)}
      </span>
    </Pager>
  );
}
