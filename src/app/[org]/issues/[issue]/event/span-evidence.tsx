import { withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { EvidenceSpan, Occurrence } from '#protocol/performance-issue.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatBytes, formatPlural } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import type { SectionEntry } from './event-parts.ts';

/** What shows that a transaction has the problem; null for events of errors. */
export function evidenceSection(event: NormalizedEvent, organizationSlug: string): SectionEntry | null {
  const { occurrence } = event;
  if (!occurrence) return null;
  const traceId = event.contexts?.trace?.trace_id;
  return {
    id: 'evidence',
    title: 'Span evidence',
    content: (
      <SpanEvidence
        occurrence={occurrence}
        transaction={event.transaction ?? ''}
        traceHref={typeof traceId === 'string' ? `/${organizationSlug}/traces/${traceId}` : null}
      />
    ),
  };
}

function SpanEvidence({
  occurrence,
  transaction,
  traceHref,
}: {
  occurrence: Occurrence;
  transaction: string;
  /** null when the event names no trace. */
  traceHref: string | null;
}) {
  const { spans, offenderCount } = occurrence;
  const left = offenderCount - spans.filter(({ role }) => role === 'offender').length;
  const first = spans.slice(0, SPANS_SHOWN_FIRST);
  const rest = spans.slice(SPANS_SHOWN_FIRST);
  return (
    <div className="space-y-3">
      <KeyValues rows={factsOf(occurrence, transaction)} />
      <SpanTable label="Spans" spans={first} traceHref={traceHref} />
      {rest.length > 0 ? (
        <details>
          <summary className="w-fit rounded-sm text-accent text-xs hover:underline">
            Show {formatPlural(rest.length, 'more span')}
          </summary>
          <div className="mt-3">
            <SpanTable label="More spans" spans={rest} traceHref={traceHref} />
          </div>
        </details>
      ) : null}
      {left > 0 ? (
        <p className="text-text-muted text-xs">
          {formatPlural(left, 'more span')} of the same kind in the trace
        </p>
      ) : null}
    </div>
  );
}

/** Rows shown before the rest is collapsed. */
const SPANS_SHOWN_FIRST = 6;

function SpanTable({
  label,
  spans,
  traceHref,
}: {
  label: string;
  spans: readonly EvidenceSpan[];
  traceHref: string | null;
}) {
  return (
    <Table
      label={label}
      columns={['Span', numeric('Started after'), numeric('Duration')]}
      className="rounded-md border"
    >
      {spans.map((span) => (
        <Tr key={`${span.role} ${span.spanId}`}>
          <Td className="align-top">
            <Description span={span} traceHref={traceHref} />
          </Td>
          <Td numeric className="align-top text-xs leading-5">
            {formatElapsed(span.offsetUs)}
          </Td>
          <Td numeric className="align-top text-xs leading-5">
            {formatElapsed(span.durationUs)}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

const ROLES: Readonly<Record<EvidenceSpan['role'], string>> = {
  parent: 'Parent',
  cause: 'Preceding',
  offender: 'Offending',
};

/** What the span is to the problem, and what it did; opens the trace at the span. */
function Description({ span, traceHref }: { span: EvidenceSpan; traceHref: string | null }) {
  const text = <bdi className="mono break-anything text-xs">{visibleText(span.description)}</bdi>;
  return (
    <>
      <p className="text-text-muted text-xs leading-5">
        {ROLES[span.role]} · <span className="mono">{visibleText(span.op)}</span>
      </p>
      {traceHref === null ? (
        <p className="line-clamp-4">{text}</p>
      ) : (
        <Link
          href={withQuery(traceHref, { span: span.spanId })}
          className="line-clamp-4 underline-offset-2 hover:underline"
          title="Open in trace"
        >
          {text}
        </Link>
      )}
    </>
  );
}

function factsOf(occurrence: Occurrence, transaction: string): readonly KeyValue[] {
  const { description, offenderCount, offenderDurationUs, transactionDurationUs } = occurrence;
  const { savableUs, bytes, fcpMs } = occurrence;
  const share =
    transactionDurationUs > 0 ? Math.round((100 * offenderDurationUs) / transactionDurationUs) : null;
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    ['Transaction', visibleText(transaction)],
    ['Query or URL', visibleText(description)],
    ['Spans', offenderCount > 1 ? String(offenderCount) : null],
    [
      'Duration',
      share === null || share > 100
        ? formatElapsed(offenderDurationUs)
        : `${formatElapsed(offenderDurationUs)}, ${share}% of ${formatElapsed(transactionDurationUs)}`,
    ],
    ['Could save up to', savableUs === null ? null : formatElapsed(savableUs)],
    ['Size', bytes === null ? null : formatBytes(bytes)],
    ['First contentful paint', fcpMs === null ? null : formatElapsed(fcpMs * 1_000)],
  ];
  return facts.flatMap(([name, value]) =>
    value
      ? [
          {
            key: name,
            name,
            value: <bdi className={name === 'Query or URL' ? 'mono text-xs' : ''}>{value}</bdi>,
          },
        ]
      : [],
  );
}
