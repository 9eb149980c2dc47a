import { type VitalRating, vitalsOf } from '#domain/traces/web-vitals.ts';
import type { TraceOutline } from '#product/traces/trace-outline.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';

const US_PER_MS = 1_000;

/** When the trace began, how long it took, what it consists of, and how its page felt. */
export function TraceFacts({
  trace,
  profiles,
  now,
}: {
  trace: TraceOutline;
  /** How many there are. */
  profiles: number;
  now: number;
}) {
  const { spans, errors, logs, transactions, traceId } = trace;
  const [fromUs, toUs] = spans.reduce(
    ([from, to], { span }) => [
      Math.min(from, span.startedAtUs),
      Math.max(to, span.startedAtUs + span.durationUs),
    ],
    [Infinity, -Infinity],
  );
  const projects = new Set([
    ...spans.map(({ span }) => span.projectId),
    ...errors.map(({ event }) => event.projectId),
  ]);
  const vitals = transactions
    .map(({ measurements }) => vitalsOf(measurements))
    .find(({ length }) => length > 0);
  const counts = [
    formatPlural(spans.length, 'span'),
    formatPlural(errors.length, 'error'),
    formatPlural(logs.length, 'log'),
    ...(profiles > 0 ? [formatPlural(profiles, 'profile')] : []),
    formatPlural(projects.size, 'project'),
  ];
  return (
    <div className="-mt-3 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-text-muted">
      <span className="mono flex items-center gap-1 text-xs">
        {traceId}
        <CopyButton text={traceId} label="Copy trace ID" />
      </span>
      {spans.length > 0 ? (
        <>
          <span>
            <ExactTime at={fromUs / US_PER_MS} /> (<RelativeTime at={fromUs / US_PER_MS} now={now} />)
          </span>
          <span className="numbers font-medium text-text">{formatElapsed(toUs - fromUs)}</span>
        </>
      ) : null}
      <span className="numbers">{counts.join(' · ')}</span>
      {vitals ? (
        <ul aria-label="Web vitals" className="flex flex-wrap gap-x-3 gap-y-1">
          {vitals.map(({ vital, value, rating }) => (
            <li key={vital.id} title={`${vital.name}: ${RATING_WORDS[rating]}`} className="numbers">
              <span className="text-xs">{vital.label}</span>{' '}
              <span className={RATING_TONES[rating]}>
                {vital.unit === 'ms' ? formatElapsed(value * US_PER_MS) : value.toFixed(2)}
                <span className="sr-only">, {RATING_WORDS[rating]}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const RATING_WORDS: Readonly<Record<VitalRating, string>> = {
  good: 'good',
  fair: 'needs improvement',
  poor: 'poor',
};
const RATING_TONES: Readonly<Record<VitalRating, string>> = {
  good: 'text-success',
  fair: 'text-warning',
  poor: 'text-danger',
};
