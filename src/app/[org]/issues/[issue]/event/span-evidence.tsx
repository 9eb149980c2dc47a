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
  return (
    <div className="space-y-3">
      <KeyValues rows={factsOf(occurrence, transaction)} />
      <Table
        label="Spans"
        columns={['Span', 'Description', numeric('Started after'), numeric('Duration')]}
        className="rounded-md border"
      >
        {spans.map((span) => (
          <Tr key={`${span.role} ${span.spanId}`}>
            <Td className="whitespace-nowrap align-top text-text-muted text-xs leading-5">
              {ROLES[span.role]}
            </Td>
            <Td className="min-w-60 align-top">
              <Description span={span} traceHref={traceHref} />
            </Td>
            <Td numeric className="align-top">
              {formatElapsed(span.offsetUs)}
            </Td>
            <Td numeric className="align-top">
              {formatElapsed(span.durationUs)}
            </Td>
          </Tr>
        ))}
      </Table>
      {left > 0 ? (
        <p className="text-text-muted text-xs">
          {formatPlural(left, 'more span')} of the same kind in the trace
        </p>
      ) : null}
    </div>
  );
}

const ROLES: Readonly<Record<EvidenceSpan['role'], string>> = {
  parent: 'Parent',
  cause: 'Preceding',
  offender: 'Offending',
};

/** Opens the trace at the span. */
function Description({ span, traceHref }: { span: EvidenceSpan; traceHref: string | null }) {
  const text = (
    <>
      <span className="mono text-text-muted text-xs">{visibleText(span.op)}</span>{' '}
      <bdi className="mono text-xs">{visibleText(span.description)}</bdi>
    </>
  );
  if (traceHref === null) return <span className="break-anything line-clamp-4">{text}</span>;
  return (
    <Link
      href={withQuery(traceHref, { span: span.spanId })}
      className="break-anything line-clamp-4 underline-offset-2 hover:underline"
      title="Open in trace"
    >
      {text}
    </Link>
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
