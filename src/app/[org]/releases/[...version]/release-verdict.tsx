import { CircleCheck, CircleHelp, CircleX, Equal } from 'lucide-react';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { getReleaseVerdict } from '#product/releases/verdict/get-release-verdict.ts';
import { patternTerm } from '#product/releases/verdict/new-log-patterns.ts';
import type {
  MeasuredSide,
  ReleaseVerdict as Verdict,
  VerdictLine,
  VerdictMeasure,
  VerdictWindow,
} from '#product/releases/verdict/release-verdict.ts';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact, formatPlural, formatRate } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { searchTerm } from '../../search-box/search-term.ts';

/** Asks several things of the stores. */
const ANSWER_MS_MAX = 15_000;

/** Whether a release is worse than the one before it, over the same length of time since each began. */
export async function ReleaseVerdict({
  ctx,
  input,
  entries,
}: {
  ctx: Context;
  input: Parameters<typeof getReleaseVerdict>[1];
  /** What the page is filtered by. */
  entries: QueryEntries;
}) {
  const read = await orUnavailable(getReleaseVerdict(ctx, input), ANSWER_MS_MAX);
  if (!read.ok) return <LoadError what="the verdict">{read.reason}</LoadError>;
  const verdict = read.value;
  const { own, before } = verdict.windows;
  const organizationSlug = ctx.organization.slug;
  return (
    <Card flush id="verdict" title="Verdict">
      <div className="flex flex-col gap-1 px-4 py-3 text-sm">
        <Headline verdict={verdict} />
        {verdict.before !== null && before ? (
          <p className="text-text-muted text-xs">
            The first {lengthOf(own)} since <Start window={own} />, compared with the same time of{' '}
            <Link
              href={withQuery(releaseHref(organizationSlug, verdict.before), entries)}
              className="text-text-muted underline"
            >
              <ReleaseName version={verdict.before} />
            </Link>{' '}
            since <Start window={before} />.
          </p>
        ) : null}
      </div>
      {verdict.lines.length > 0 ? (
        <Table
          label="Verdict by measure"
          columns={['Measure', numeric('This release'), numeric('Previous'), 'Difference']}
        >
          {verdict.lines.map((line) => (
            <Tr key={line.measure}>
              <Td>{MEASURES[line.measure].label}</Td>
              <Side measure={line.measure} side={line.own} />
              <Side measure={line.measure} side={line.before} />
              <Td>
                <Difference line={line} />
              </Td>
            </Tr>
          ))}
        </Table>
      ) : null}
      <LogPatterns organizationSlug={organizationSlug} verdict={verdict} entries={entries} />
    </Card>
  );
}

export function VerdictSkeleton() {
  return (
    <Card flush id="verdict" title="Verdict">
      <Skeleton className="m-4 h-56" />
    </Card>
  );
}

const HEADLINES = {
  worse: { icon: CircleX, tone: 'text-danger', text: 'Worse than the release before it.' },
  better: { icon: CircleCheck, tone: 'text-success', text: 'Better than the release before it.' },
  same: { icon: Equal, tone: 'text-text-muted', text: 'No worse and no better than the release before it.' },
  too_few: { icon: CircleHelp, tone: 'text-text-muted', text: 'Not enough data to compare.' },
} as const;

function Headline({ verdict: { before, verdict } }: { verdict: Verdict }) {
  if (before === null) return <p>There is no release before it to compare it with.</p>;
  const { icon: Icon, tone, text } = HEADLINES[verdict];
  return (
    <p className="flex items-center gap-2 font-semibold text-base">
      <Icon aria-hidden className={`size-5 shrink-0 ${tone}`} />
      {text}
    </p>
  );
}

function Start({ window }: { window: VerdictWindow }) {
  return (
    <>
      its first {window.since} (<ExactTime at={window.fromMs} />)
    </>
  );
}

/** In whole days, hours or minutes. */
function lengthOf({ fromMs, toMs }: VerdictWindow): string {
  const lengthMs = toMs - fromMs;
  if (lengthMs >= 2 * DAY_MS) return formatPlural(Math.round(lengthMs / DAY_MS), 'day');
  if (lengthMs >= 2 * HOUR_MS) return formatPlural(Math.round(lengthMs / HOUR_MS), 'hour');
  return formatPlural(Math.round(lengthMs / MINUTE_MS), 'minute');
}

type Kind = 'share' | 'duration' | 'count';
const MEASURES: Readonly<Record<VerdictMeasure, { label: string; kind: Kind; one: string }>> = {
  p95: { label: 'Transactions, p95', kind: 'duration', one: 'transaction' },
  failure_rate: { label: 'Failed transactions', kind: 'share', one: 'transaction' },
  crash_free_sessions: { label: 'Crash-free sessions', kind: 'share', one: 'session' },
  crash_free_users: { label: 'Crash-free users', kind: 'share', one: 'user' },
  new_issues: { label: 'New issues', kind: 'count', one: 'issue' },
  regressed_issues: { label: 'Regressed issues', kind: 'count', one: 'issue' },
};

const US_PER_MS = 1_000;

function Side({ measure, side: { value, sample } }: { measure: VerdictMeasure; side: MeasuredSide }) {
  const { kind, one } = MEASURES[measure];
  if (value === null) {
    return (
      <Td align="right" className="text-text-faint">
        no {one}s
      </Td>
    );
  }
  const text =
    kind === 'share'
      ? formatRate(value)
      : kind === 'duration'
        ? formatElapsed(value * US_PER_MS)
        : formatExact(value);
  return (
    <Td align="right" className="numbers">
      <span className="whitespace-nowrap font-medium">{text}</span>
      {sample === null ? null : (
        <span className="block text-text-muted text-xs">of {formatPlural(sample, one)}</span>
      )}
    </Td>
  );
}

function Difference({ line: { verdict, own, before } }: { line: VerdictLine }) {
  switch (verdict) {
    case 'worse':
      return <span className="font-medium text-danger">Worse, by more than chance</span>;
    case 'better':
      return <span className="font-medium text-success">Better, by more than chance</span>;
    case 'too_few':
      return <span className="text-text-muted">Not enough data</span>;
    case 'chance':
      return (
        <span className="text-text-muted">{own.value === before.value ? 'The same' : 'Could be chance'}</span>
      );
  }
}

function LogPatterns({
  organizationSlug,
  verdict: { version, windows, logPatterns },
  entries: { project = null, environment = null },
}: {
  organizationSlug: string;
  verdict: Verdict;
  entries: QueryEntries;
}) {
  if (logPatterns === null) {
    return (
      <p className="border-t px-4 py-3 text-sm text-text-muted">There are too many log lines to compare.</p>
    );
  }
  if (logPatterns.length === 0) {
    return (
      <p className="border-t px-4 py-3 text-sm text-text-muted">No log message is new in this release.</p>
    );
  }
  return (
    <Table
      label="New log messages"
      columns={['New log message', 'Level', numeric('Lines')]}
      className="border-t"
    >
      {logPatterns.map(({ pattern, level, lines, example }) => (
        <Tr key={pattern}>
          <Td className="mono max-w-96 text-xs">
            <Link
              href={withQuery(`/${organizationSlug}/explore/logs`, {
                project,
                environment,
                query: `${searchTerm('release', version)} ${patternTerm(pattern)}`,
                start: new Date(windows.own.fromMs).toISOString(),
                end: new Date(windows.own.toMs).toISOString(),
              })}
              title={visibleText(example)}
              className="block truncate text-text no-underline hover:underline"
            >
              <bdi>{visibleText(pattern)}</bdi>
            </Link>
          </Td>
          <Td>{visibleText(level)}</Td>
          <Td numeric>{formatExact(lines)}</Td>
        </Tr>
      ))}
    </Table>
  );
}
