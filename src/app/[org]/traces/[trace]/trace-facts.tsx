import { transactionHref } from '#app/[org]/transaction-href.ts';
import { vitalsOf } from '#domain/traces/web-vitals.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { TraceOutline } from '#product/traces/trace-outline.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { RATING_LABELS, VitalValue } from '../vital-value.tsx';

const US_PER_MS = 1_000;

/** Names of transactions that lead to their pages; the waterfall has the others. */
const TRANSACTIONS_SHOWN = 3;

/** When the trace began, how long it took, what it consists of, and how its page felt. */
export function TraceFacts({
  organizationSlug,
  trace,
  profiles,
  now,
}: {
  organizationSlug: string;
  trace: TraceOutline;
  /** How many there are. */
  profiles: number;
  now: number;
}) {
  const { spans, errors, logs, roots, traceId } = trace;
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
  const vitals = vitalsOf(trace.vitals);
  const named = new Map(
    roots.map(({ name, projectSlug }) => [transactionHref(organizationSlug, projectSlug, name), name]),
  );
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
      {named.size > 0 ? (
        <ul aria-label="Transactions" className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
          {[...named].slice(0, TRANSACTIONS_SHOWN).map(([href, name]) => (
            <li key={href} className="min-w-0 max-w-80 truncate">
              <TextLink href={href} title="Performance of this transaction">
                <bdi>{visibleText(name)}</bdi>
              </TextLink>
            </li>
          ))}
        </ul>
      ) : null}
      {vitals.length > 0 ? (
        <ul aria-label="Web vitals" className="flex flex-wrap gap-x-3 gap-y-1">
          {vitals.map(({ vital, value, rating }) => (
            <li key={vital.id} title={`${vital.name}: ${RATING_LABELS[rating]}`} className="numbers">
              <span className="text-xs">{vital.label}</span> <VitalValue vital={vital} value={value} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
