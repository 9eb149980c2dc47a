import type { DigestedSpan } from '#protocol/telemetry.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOf } from '../telemetry/clock.ts';
import { parseSpanId, parseTraceId } from '../telemetry/trace-ids.ts';
import { readLinks, type SpanFacts } from './build-span.ts';

/**
 * Reads a span as transactions hold them and as old SDKs send them by themselves: `data`, `measurements`, `tags` and
 * `sentry_tags` become attributes, in this order of precedence.
 * Sources: relay-event-schema/src/protocol/span.rs, relay-spans/src/v1_to_v2.rs.
 */
export function readSpanV1(
  sent: Source,
  source: Extract<DigestedSpan['source'], 'transaction' | 'span'>,
  unsafeText: boolean,
): SpanFacts {
  const text = (value: unknown): string | undefined => textOf(value, unsafeText);
  const attributes = new AttributeSet(unsafeText);
  attributes.addPlain(sent.data);
  addMeasurements(attributes, sent.measurements);
  attributes.addPlain(sent.tags);
  if (isSource(sent.sentry_tags)) {
    for (const [key, value] of Object.entries(sent.sentry_tags)) {
      attributes.setMissing(key === 'description' ? 'sentry.normalized_description' : `sentry.${key}`, value);
    }
  }
  attributes.set('sentry.exclusive_time', numberOf(sent.exclusive_time));
  attributes.set('sentry.profile_id', text(sent.profile_id));
  attributes.set('sentry.platform', text(sent.platform));
  const isRemote = typeof sent.is_remote === 'boolean' ? sent.is_remote : null;
  attributes.set('sentry.is_remote', isRemote);
  return {
    source,
    traceId: parseTraceId(sent.trace_id),
    spanId: parseSpanId(sent.span_id),
    parentSpanId: parseSpanId(sent.parent_span_id),
    segmentId: parseSpanId(sent.segment_id),
    isSegment: typeof sent.is_segment === 'boolean' ? sent.is_segment : isRemote === true ? true : null,
    transactionId: null,
    startedAtUs: microsecondsOf(sent.start_timestamp),
    endedAtUs: microsecondsOf(sent.timestamp),
    op: text(sent.op) ?? attributes.text('sentry.op'),
    name: text(sent.description) ?? attributes.text('sentry.name'),
    status: text(sent.status),
    kind: text(sent.kind) ?? attributes.text('sentry.kind', 'span.kind', 'otel.kind'),
    origin: text(sent.origin) ?? attributes.text('sentry.origin'),
    attributes,
    links: readLinks(sent.links, unsafeText),
  };
}

/** `{name: {value, unit}}` as attributes of their values. */
export function addMeasurements(attributes: AttributeSet, sent: unknown): void {
  if (!isSource(sent)) return;
  for (const [name, measurement] of Object.entries(sent)) {
    const value = numberOf(isSource(measurement) ? measurement.value : measurement);
    attributes.setMissing(name.endsWith('_sample_rate') ? `sentry.${name}` : name, value);
  }
}

export function textOf(value: unknown, unsafeText: boolean): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  return unsafeText ? toSafeText(value) : value;
}

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
