import type { ReactNode } from 'react';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ReleaseSessions, SessionFigures } from '#product/releases/get-release-sessions.ts';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatCount, formatExact, formatRate } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RateChart } from './rate-chart.tsx';

const COLORS = { own: 'var(--color-chart)', other: 'var(--color-chart-6)' };
const US_PER_SECOND = 1_000_000;

const STATUSES: readonly { label: string; color: string; read(figures: SessionFigures): number }[] = [
  { label: 'Healthy', color: 'var(--color-chart-2)', read: ({ healthy }) => healthy },
  { label: 'Errored', color: 'var(--color-chart-3)', read: ({ errored }) => errored },
  { label: 'Abnormal', color: 'var(--color-chart-5)', read: ({ abnormal }) => abnormal },
  { label: 'Unhandled', color: 'var(--color-level-warning)', read: ({ unhandled }) => unhandled },
  { label: 'Crashed', color: 'var(--color-danger)', read: ({ crashed }) => crashed },
];

/** How the sessions of a release went over time, beside those of the release before or of all others. */
export function ReleaseHealth({
  sessions: { own, compared, range, bucketMs },
  comparisons,
  comparedName,
}: {
  sessions: ReleaseSessions;
  /** What it can be compared with, each with its address. */
  comparisons: readonly { label: string; href: string; isCurrent: boolean }[];
  /** The release before, or what stands for all others. */
  comparedName: string;
}) {
  const { totals } = own;
  if (totals.sessions === 0) {
    return (
      <Card id="health" title="Health">
        <p className="text-sm text-text-muted">
          No sessions of this release in the selected time range, environments and projects. Crash-free rates
          need sessions, which SDKs send automatically unless session tracking is turned off.
        </p>
      </Card>
    );
  }
  const time = { fromMs: range.fromMs, bucketMs };
  const other = shortenHashes(visibleText(comparedName));
  const lines = (read: (figures: SessionFigures) => number | null) => [
    ...(compared
      ? [
          {
            label: other,
            values: compared.buckets.map((each) => each && read(each)),
            color: COLORS.other,
            isFaint: true,
          },
        ]
      : []),
    {
      label: 'This release',
      values: own.buckets.map((each) => each && read(each)),
      color: COLORS.own,
    },
  ];
  return (
    <>
      <Card id="health" title="Crash-free rates" actions={<Comparisons comparisons={comparisons} />}>
        <Legend
          entries={[
            { label: 'This release', color: COLORS.own },
            ...(compared ? [{ label: other, color: COLORS.other }] : []),
          ]}
        />
        <div className="grid gap-5 xl:grid-cols-2">
          <Rate
            title="Crash-free sessions"
            value={totals.crashFreeSessions}
            before={compared?.totals.crashFreeSessions ?? null}
          >
            <RateChart
              label="Crash-free sessions"
              series={lines((figures) => figures.crashFreeSessions)}
              {...time}
            />
          </Rate>
          <Rate
            title="Crash-free users"
            value={totals.crashFreeUsers}
            before={compared?.totals.crashFreeUsers ?? null}
          >
            {totals.crashFreeUsers === null ? (
              <p className="text-sm text-text-muted">No session names a user.</p>
            ) : (
              <RateChart
                label="Crash-free users"
                series={lines((figures) => figures.crashFreeUsers)}
                {...time}
              />
            )}
          </Rate>
        </div>
      </Card>
      <Card id="sessions" title="Sessions by status">
        <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {STATUSES.map(({ label, color, read }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
              <span className="text-text-muted">{label}</span>
              <span className="numbers font-medium" title={formatExact(read(totals))}>
                {formatCount(read(totals))}
              </span>
            </li>
          ))}
        </ul>
        <RangeBarChart
          label="Sessions"
          unit="sessions"
          height={120}
          {...time}
          series={STATUSES.map(({ label, color, read }) => ({
            label,
            color,
            values: own.buckets.map((each) => (each ? read(each) : 0)),
          }))}
        />
        <Durations own={own.totals} />
      </Card>
    </>
  );
}

function Comparisons({
  comparisons,
}: {
  comparisons: readonly { label: string; href: string; isCurrent: boolean }[];
}) {
  return (
    <nav aria-label="Compare with" className="flex gap-3 text-xs">
      {comparisons.map(({ label, href, isCurrent }) => (
        <Link
          key={label}
          href={href}
          scroll={false}
          aria-current={isCurrent ? 'true' : undefined}
          className={
            isCurrent
              ? 'font-medium text-text no-underline'
              : 'text-accent underline-offset-2 hover:underline'
          }
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function Legend({ entries }: { entries: readonly { label: string; color: string }[] }) {
  return (
    <ul aria-label="Lines of the charts" className="mb-3 flex flex-wrap gap-x-4 text-text-muted text-xs">
      {entries.map(({ label, color }) => (
        <li key={label} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className="size-2 shrink-0 rounded-xs" style={{ background: color }} />
          <bdi className="truncate">{label}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Rate({
  title,
  value,
  before,
  children,
}: {
  title: string;
  value: number | null;
  before: number | null;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="text-sm text-text-muted">{title}</h3>
      <p className="mb-3 flex items-baseline gap-2">
        <span className="numbers font-semibold text-xl">{value === null ? '–' : formatRate(value)}</span>
        {before === null ? null : (
          <span className="numbers text-text-muted text-xs">compared with {formatRate(before)}</span>
        )}
      </p>
      {children}
    </section>
  );
}

/** Sessions that an SDK counts itself, one for each request, have no durations: saying so is more than a dash. */
function Durations({ own }: { own: ReleaseSessions['own']['totals'] }) {
  const { durations, aggregated, sessions } = own;
  if (durations) {
    const time = (seconds: number) => (
      <span className="numbers font-medium text-text">{formatElapsed(seconds * US_PER_SECOND)}</span>
    );
    return (
      <p className="mt-3 text-sm text-text-muted">
        Session duration: p50 {time(durations.p50)}, p95 {time(durations.p95)}
      </p>
    );
  }
  return (
    <p className="mt-3 text-sm text-text-muted">
      {aggregated === sessions
        ? 'Sessions of servers, such as one for each request, are counted by the SDK and have no durations.'
        : 'No session of this time range has ended with a duration.'}
    </p>
  );
}
