import { type Part, settle } from '#lib/settle.ts';
import type { Context } from '#product/context.ts';
import { getIssueTrend } from '#product/issues/get-issue-trend.ts';
import { alignRange, chooseBucketMs } from '#product/time-buckets.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/link.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import {
  RANGE_DEFAULT,
  RANGE_LABELS,
  RANGES,
  type RangeKey,
  rangeBounds,
  withQuery,
} from '../../../url-state.ts';

const PLOT_HEIGHT_PX = 96;

export type Trend = IssueActivity & { fromMs: number; bucketMs: number };

/** What the card shows; asked for before the page is drawn, so that nothing waits for anything else. */
export async function loadTrend(ctx: Context, issue: Issue, range: RangeKey): Promise<Part<Trend>> {
  const bounds = rangeBounds(range, ctx.now());
  const bucketMs = chooseBucketMs(bounds);
  const aligned = alignRange(bounds, bucketMs);
  const trend = await settle(getIssueTrend(ctx, issue, { range: aligned, bucketMs }));
  return trend.ok ? { ok: true, value: { ...trend.value, fromMs: aligned.fromMs, bucketMs } } : trend;
}

/** Events of the issue over time. `issueHref` is its page, `eventHref` the page that is shown. */
export async function TrendCard({
  trend: loading,
  range,
  issueHref,
  eventHref,
}: {
  trend: Promise<Part<Trend>>;
  range: RangeKey;
  issueHref: string;
  eventHref: string;
}) {
  const trend = await loading;
  return (
    <Card
      id="trend"
      title={
        trend.ok ? (
          <span className="flex flex-wrap gap-x-4 font-normal text-text-muted">
            <Link href={`${issueHref}/events`} className="text-text-muted no-underline hover:text-text">
              <b className="numbers font-semibold text-text">{formatExact(trend.value.events)}</b>{' '}
              {trend.value.events === 1 ? 'event' : 'events'}
            </Link>
            <span>
              <b className="numbers font-semibold text-text">{formatExact(trend.value.users)}</b>{' '}
              {trend.value.users === 1 ? 'user' : 'users'}
            </span>
          </span>
        ) : (
          'Events'
        )
      }
      actions={
        <nav aria-label="Time range" className="flex gap-0.5">
          {RANGES.map((each) => (
            <Link
              key={each}
              href={withQuery(eventHref, { range: each === RANGE_DEFAULT ? null : each })}
              aria-current={each === range ? 'true' : undefined}
              title={RANGE_LABELS[each]}
              scroll={false}
              className={cx(
                'numbers grid h-6 min-w-8 place-items-center rounded-sm px-1.5 text-xs no-underline',
                each === range
                  ? 'bg-surface-pressed font-medium text-text'
                  : 'text-text-muted hover:bg-surface-hover hover:text-text',
              )}
            >
              {each}
            </Link>
          ))}
        </nav>
      }
    >
      {trend.ok ? (
        <BarChart
          label="Events"
          unit="events"
          series={[{ label: 'Events', values: trend.value.buckets, color: 'var(--color-chart)' }]}
          fromMs={trend.value.fromMs}
          bucketMs={trend.value.bucketMs}
          height={PLOT_HEIGHT_PX}
        />
      ) : (
        <p className="grid h-[140px] place-items-center text-sm text-text-muted">
          The chart is missing while the event store does not answer.
        </p>
      )}
    </Card>
  );
}

export function TrendCardSkeleton() {
  return (
    <Card title={<Skeleton className="h-4 w-40" />}>
      <Skeleton className="h-[140px] w-full" />
    </Card>
  );
}
