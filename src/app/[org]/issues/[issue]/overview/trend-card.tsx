import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { withQuery } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import type { ReleaseSummary } from '#product/releases/release.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { IssueFilter } from '../issue-request.ts';
import type { Trend } from '../load-trend.ts';

const PLOT_HEIGHT_PX = 56;

/** How often, for how many users, since when and until when; over time, with the releases of its package as marks. */
export function TrendCard({
  issue,
  trend,
  releases,
  filter: { entries, isNarrowed },
  issueHref,
  now,
}: {
  issue: Issue;
  trend: OrUnavailable<Trend>;
  releases: readonly ReleaseSummary[];
  filter: IssueFilter;
  issueHref: string;
  now: number;
}) {
  if (!trend.ok) {
    return (
      <Card id="trend" title="Events">
        <p className="grid h-[120px] place-items-center text-sm text-text-muted">
          The chart can’t be shown while the event store is unavailable.
        </p>
      </Card>
    );
  }
  const { events, users, firstSeen, lastSeen } = trend.value;
  // Of all events more is known than of those that are counted: in which release.
  const first = isNarrowed
    ? { at: firstSeen, release: null }
    : { at: issue.firstSeen, release: issue.firstRelease };
  const last = isNarrowed
    ? { at: lastSeen, release: null }
    : { at: issue.lastSeen, release: issue.lastRelease };
  return (
    <Card
      id="trend"
      flush
      title={
        <span className="flex flex-wrap items-baseline gap-x-3.5 gap-y-1 font-normal text-text-muted">
          <span>
            <Count href={withQuery(`${issueHref}/events`, entries)} count={events} one="event" />
            {events < issue.timesSeen ? ` of ${formatCount(issue.timesSeen)} in total` : ''}
          </span>
          <Count
            href={withQuery(`${issueHref}/tags`, { ...entries, key: 'user' })}
            count={users}
            one="user"
          />
          <Moment label="First seen" {...first} now={now} />
          <Moment label="Last seen" {...last} now={now} />
        </span>
      }
    >
      <div className="px-4 pt-2 pb-1">
        <RangeBarChart
          label="Events"
          unit="events"
          series={[{ label: 'Events', values: trend.value.buckets, color: 'var(--color-chart)' }]}
          fromMs={trend.value.fromMs}
          bucketMs={trend.value.bucketMs}
          height={PLOT_HEIGHT_PX}
          marks={releases.map(({ version, dateMs }) => ({ atMs: dateMs, label: shortenHashes(version) }))}
        />
      </div>
    </Card>
  );
}

function Count({ href, count, one }: { href: string; count: number; one: string }) {
  return (
    <Link href={href} className="quiet-link">
      <b className="numbers font-semibold text-text">{formatExact(count)}</b> {count === 1 ? one : `${one}s`}
    </Link>
  );
}

function Moment({
  label,
  at,
  release,
  now,
}: {
  label: string;
  at: number | null;
  release: string | null;
  now: number;
}) {
  if (at === null) return null;
  return (
    <span className="whitespace-nowrap text-xs">
      {label} <RelativeTime at={at} now={now} className="text-text" />
      {release === null ? null : (
        <>
          {' '}
          <bdi className="inline-block max-w-32 truncate align-bottom" title={release}>
            ({shortenHashes(release)})
          </bdi>
        </>
      )}
    </span>
  );
}
