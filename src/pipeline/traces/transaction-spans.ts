import type { DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import { type FieldReader, isSource, type Source } from '../normalize/field-reader.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import type { Placement } from '../telemetry/clock.ts';
import type { OutcomeTally } from '../telemetry/container.ts';
import { SPANS_PER_TRANSACTION_MAX } from '../telemetry/limits.ts';
import { parseSpanId } from '../telemetry/row-identity.ts';
import { buildSpan, readLinks, type SpanColumns, type SpanFacts } from './build-span.ts';
import { addMeasurements, readSpanV1 } from './read-span.ts';
import type { TransactionCore, TransactionPayload } from './transaction-payload.ts';
import { isTag, objectAt, textAt } from './transaction-row.ts';

export type SpansContext = {
  core: TransactionCore;
  /** How far the transaction was moved, microseconds. */
  shiftUs: number;
  reader: FieldReader;
  tally: OutcomeTally;
  context: ItemContext;
};

/**
 * The span of the transaction itself: the root of its segment, made from the scrubbed payload.
 * Source: relay-event-schema/src/protocol/span/convert.rs.
 */
export function segmentSpan(
  row: Pick<DigestedTransaction, 'eventId' | 'name' | 'payload'>,
  payload: TransactionPayload,
  inherited: SpanColumns,
  { core, shiftUs, reader, tally, context }: SpansContext,
): DigestedSpan | null {
  const { traceId, spanId } = core;
  const trace = objectAt(objectAt(row.payload, 'contexts'), 'trace');
  const tags = Array.isArray(row.payload.tags) ? row.payload.tags.filter(isTag) : [];
  const attributes = new AttributeSet(reader.unsafeText);
  attributes.addPlain(trace.data);
  // SDKs for JavaScript name the profiler in a context only.
  attributes.setMissing('profiler_id', objectAt(objectAt(row.payload, 'contexts'), 'profile').profiler_id);
  addMeasurements(attributes, payload.measurements);
  for (const [key, value] of tags) attributes.setMissing(key, value);
  attributes.set('sentry.was_transaction', true);
  attributes.set('sentry.source', payload.transaction_info.source);
  const facts: SpanFacts = {
    source: 'transaction',
    traceId,
    spanId,
    parentSpanId: parseSpanId(trace.parent_span_id),
    segmentId: spanId,
    isSegment: true,
    transactionId: row.eventId,
    startedAtUs: Math.round(core.startedAt * 1_000_000),
    endedAtUs: Math.round(core.endedAt * 1_000_000),
    op: textAt(trace, 'op') ?? undefined,
    name: row.name,
    status: textAt(trace, 'status') ?? undefined,
    kind: attributes.text('sentry.kind', 'span.kind', 'otel.kind'),
    origin: textAt(trace, 'origin') ?? undefined,
    attributes,
    links: readLinks(trace.links, reader.unsafeText),
  };
  const built = buildSpan(facts, inherited, context, () => moved(shiftUs));
  if (built.kind === 'span') {
    tally.count('accepted');
    return built.span;
  }
  tally.count('invalid', built.reason);
  return null;
}

/**
 * The spans in a transaction. One that cannot be read is left out with an outcome and a reason in the transaction's
 * `errors`; the reference would refuse the whole transaction for it.
 */
export function childSpans(
  sent: Source,
  row: Pick<DigestedTransaction, 'eventId'>,
  inherited: SpanColumns,
  { core, shiftUs, reader, tally, context }: SpansContext,
): DigestedSpan[] {
  const listed = listOf(reader, sent);
  const spans: DigestedSpan[] = [];
  const seen = new Set([core.spanId]);
  for (const [index, source] of listed.slice(0, SPANS_PER_TRANSACTION_MAX).entries()) {
    const refuse = (reason: string, expected: string): void => {
      tally.count('invalid', reason);
      // Without the value: these are found after scrubbing.
      reader.report('invalid_data', 'spans', String(index), `expected ${expected}`);
    };
    if (!isSource(source)) {
      refuse('invalid_span', 'an object');
      continue;
    }
    const facts = readSpanV1(source, 'transaction', reader.unsafeText);
    const built = buildSpan(
      {
        ...facts,
        // SDKs that leave it out mean the trace of the transaction.
        traceId: source.trace_id == null ? core.traceId : facts.traceId,
        parentSpanId: facts.parentSpanId ?? core.spanId,
        segmentId: core.spanId,
        isSegment: false,
        transactionId: row.eventId,
      },
      inherited,
      context,
      () => moved(shiftUs),
    );
    if (built.kind === 'invalid') {
      refuse(
        built.reason,
        built.reason === 'timestamp' ? 'an end time after the start time' : 'a trace ID and a span ID',
      );
    } else if (seen.has(built.span.spanId)) {
      refuse('duplicate', 'a unique span ID');
    } else {
      seen.add(built.span.spanId);
      tally.count('accepted');
      spans.push(built.span);
    }
  }
  const tooMany = listed.length - SPANS_PER_TRANSACTION_MAX;
  if (tooMany > 0) {
    tally.count('invalid', 'too_many_spans', tooMany);
    const kept = `kept the first ${SPANS_PER_TRANSACTION_MAX} of ${listed.length}`;
    reader.report('too_many_items', '', 'spans', kept);
  }
  return spans;
}

/** How many spans a payload holds besides its own, whatever they are. */
export const countSpans = (sent: Source): number => (Array.isArray(sent.spans) ? sent.spans.length : 0);

function listOf(reader: FieldReader, sent: Source): readonly unknown[] {
  if (Array.isArray(sent.spans)) return sent.spans;
  if (sent.spans !== undefined && sent.spans !== null) reader.invalid('', 'spans', 'a list', sent.spans);
  return [];
}

const moved = (shiftUs: number): Placement => ({ shiftUs, problem: null });
