import type { Source } from '../normalize/field-reader.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOf } from '../telemetry/time.ts';
import { parseSpanId, parseTraceId } from '../telemetry/trace-ids.ts';
import type { SpanFacts } from './build-span.ts';
import { deriveDescription, deriveOp } from './derive-span.ts';
import { textOf } from './read-span-v1.ts';
import { readLinks } from './span-links.ts';

/**
 * Reads one element of a span container.
 * Sources: https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/, relay-event-schema/src/protocol/span_v2.rs.
 */
export function readSpanV2(sent: Source, unsafeText: boolean): SpanFacts {
  const text = (value: unknown): string | undefined => textOf(value, unsafeText);
  const attributes = new AttributeSet(unsafeText);
  attributes.addTyped(sent.attributes);
  const isRemote = typeof sent.is_remote === 'boolean' ? sent.is_remote : null;
  attributes.set('sentry.is_remote', isRemote);
  return {
    source: 'span_v2',
    traceId: parseTraceId(sent.trace_id),
    spanId: parseSpanId(sent.span_id),
    parentSpanId: parseSpanId(sent.parent_span_id),
    segmentId: parseSpanId(attributes.get('sentry.segment.id')),
    isSegment: typeof sent.is_segment === 'boolean' ? sent.is_segment : isRemote === true ? true : null,
    transactionId: null,
    startedAtUs: microsecondsOf(sent.start_timestamp),
    endedAtUs: microsecondsOf(sent.end_timestamp),
    ...describeSpan(attributes, text(sent.name), text(sent.kind)),
    status: text(sent.status),
    links: readLinks(sent.links, unsafeText),
  };
}

/** Operation and description, said or derived; a name that is not the description is kept as `sentry.name`. */
export function describeSpan(
  attributes: AttributeSet,
  name: string | undefined,
  kindSent: string | undefined,
): Pick<SpanFacts, 'op' | 'name' | 'kind' | 'origin' | 'attributes'> {
  const kind = kindSent ?? attributes.text('sentry.kind', 'span.kind', 'otel.kind');
  const description = deriveDescription(attributes, kind?.toLowerCase() ?? '');
  if (description !== undefined && name !== undefined && description !== name) {
    attributes.setMissing('sentry.name', name);
  }
  return {
    op: attributes.text('sentry.op') ?? deriveOp(attributes, kind?.toLowerCase() ?? ''),
    name: description ?? name,
    kind,
    origin: attributes.text('sentry.origin'),
    attributes,
  };
}
