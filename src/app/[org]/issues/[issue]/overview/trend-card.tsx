import { PageFilters } from '#app/shell/page-filters.tsx';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { type PageFilters as Filters, timeBounds, withQuery } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { type OrUnavailable, orUnavailable } from '#lib/or-unavailable.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import type { Context } from '#product/context.ts';
import { getIssueTrend } from '#product/issues/list-issues.ts';
import type { ReleaseSummary } from '#product/releases/release.ts';
import { alignRange, chooseBucketMs } from '#product/time-buckets.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { countedTime } from '../issue-request.ts';

const PLOT_HEIGHT_PX = 92;

export type Trend = IssueActivity & { fromMs: number; bucketMs: number };

/** What the card shows. */
export async function loadTrend(ctx: Context, issue: Issue, filters: Filters): Promise<OrUnavailable<Trend>> {
  const bounds = timeBounds(filters.time, ctx.now());
  const bucketMs = chooseBucketMs(bounds);
  const aligned = alignRange(bounds, bucketMs);
  const trend = await orUnavailable(getIssueTrend(ctx, issue, { range: aligned, bucketMs }));
  return trend.ok ? { ok: true, value: { ...trend.value, fromMs: aligned.fromMs, bucketMs } } : trend;
}

/** Events of the issue over time, the releases of its package as marks. */
export function TrendCard({
  trend,
  releases,
  filters,
  issueHref,
}: {
  trend: OrUnavailable<Trend>;
  releases: readonly ReleaseSummary[];
  filters: Filters;
  issueHref: string;
}) {
  const time = countedTime(filters.time);
  return (
    <Card
      id="trend"
      title={
        trend.ok ? (
          <span className="flex flex-wrap gap-x-4 font-normal text-text-muted">
            <Count
              href={withQuery(`${issueHref}/events`, time)}
              count={trend.value.events}
              one="event"
              title="Events in this time range"
            />
            <Count
              href={withQuery(`${issueHref}/tags`, { ...time, key: 'user' })}
              count={trend.value.users}
              one="user"
              title="Users in this time range"
            />
          </span>
        ) : (
          'Events'
        )
      }
      actions={
        <div className="[&>*]:mb-0">
          <PageFilters filters={filters} projects={null} environments={null} />
        </div>
      }
    >
      {trend.ok ? (
        <RangeBarChart
          label="Events"
          unit="events"
          series={[{ label: 'Events', values: trend.value.buckets, color: 'var(--color-chart)' }]}
          fromMs={trend.value.fromMs}
          bucketMs={trend.value.bucketMs}
          height={PLOT_HEIGHT_PX}
          marks={releases.map(({ version, dateMs }) => ({ atMs: dateMs, label: shortenHashes(version) }))}
        />
      ) : (
        <p className="grid h-[136px] place-items-center text-sm text-text-muted">
          The chart can’t be shown while the event store is unavailable.
        </p>
      )}
    </Card>
  );
}

function Count({ href, count, one, title }: { href: string; count: number; one: string; title: string }) {
  return (
    <Link href={href} title={title} className="text-text-muted no-underline hover:text-text hover:underline">
      <b className="numbers font-semibold text-text">{formatExact(count)}</b> {count === 1 ? one : `${one}s`}
    </Link>
  );
}

export function TrendCardSkeleton() {
  return (
    <Card title={<Skeleton className="h-4 w-40" />} actions={<Skeleton className="h-8 w-36" />}>
      <Skeleton className="h-[136px] w-full" />
    </Card>
  );
}
