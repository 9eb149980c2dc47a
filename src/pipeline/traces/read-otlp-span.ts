import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOfNanos } from '../telemetry/clock.ts';
import { plainEntries } from '../telemetry/otlp.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { readLinks, type SpanFacts } from './build-span.ts';
import { describeSpan } from './read-span.ts';

/** Bits of `flags`: whether it is known that the parent is remote, whether it is, and whether a link was sampled. */
const KNOWS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const IS_SAMPLED = 0x1;
/** Events of a span that are kept, as JSON in one attribute. */
const EVENTS_MAX = 50;

const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/**
 * Reads a span of OTLP in the shape of its JSON encoding. `addShared` adds what its resource and scope say.
 * Source: relay-spans/src/otel_to_sentry_v2.rs.
 */
export function readOtlpSpan(sent: Source, addShared: (attributes: AttributeSet) => void): SpanFacts {
  const attributes = new AttributeSet(true);
  for (const [key, value] of plainEntries(sent.attributes)) attributes.set(key, value);
  const status = isSource(sent.status) ? sent.status : {};
  attributes.setMissing('sentry.status.message', nonEmpty(status.message));
  attributes.setMissing('otel.trace_state', nonEmpty(sent.traceState));
  attributes.setMissing('otel.events', eventsOf(sent.events));
  attributes.setMissing('sentry.origin', 'auto.otlp.spans');
  addShared(attributes);
  const flags = typeof sent.flags === 'number' ? sent.flags : 0;
  const isRemote = (flags & KNOWS_REMOTE) === 0 ? null : (flags & IS_REMOTE) !== 0;
  attributes.set('sentry.is_remote', isRemote);
  const parentSpanId = parseSpanId(sent.parentSpanId);
  return {
    source: 'otlp',
    traceId: parseTraceId(sent.traceId),
    spanId: parseSpanId(sent.spanId),
    parentSpanId,
    segmentId: parseSpanId(attributes.get('sentry.segment.id')),
    isSegment: parentSpanId === null || isRemote === true,
    transactionId: null,
    startedAtUs: microsecondsOfNanos(sent.startTimeUnixNano),
    endedAtUs: microsecondsOfNanos(sent.endTimeUnixNano),
    ...describeSpan(attributes, nonEmpty(sent.name), kindOf(sent.kind)),
    status: isError(status.code) ? 'error' : 'ok',
    links: readLinks(linksOf(sent.links), true),
  };
}

/** By number, or by name as `SPAN_KIND_SERVER`. */
function kindOf(sent: unknown): string | undefined {
  if (typeof sent === 'number') return KINDS[sent] || undefined;
  return typeof sent === 'string' ? sent.replace(/^SPAN_KIND_/, '').toLowerCase() : undefined;
}

const isError = (code: unknown): boolean => code === 2 || code === 'STATUS_CODE_ERROR';

const nonEmpty = (sent: unknown): string | undefined =>
  typeof sent === 'string' && sent !== '' ? toSafeText(sent) : undefined;

function eventsOf(sent: unknown): unknown {
  if (!Array.isArray(sent) || sent.length === 0) return undefined;
  return sent.slice(0, EVENTS_MAX).flatMap((event) =>
    isSource(event)
      ? [
          {
            name: event.name,
            timeUnixNano: event.timeUnixNano,
            attributes: Object.fromEntries(plainEntries(event.attributes)),
          },
        ]
      : [],
  );
}

const linksOf = (sent: unknown): unknown =>
  Array.isArray(sent)
    ? sent.filter(isSource).map((link) => ({
        trace_id: link.traceId,
        span_id: link.spanId,
        sampled: typeof link.flags === 'number' && (link.flags & IS_SAMPLED) !== 0,
        attributes: Object.fromEntries(plainEntries(link.attributes)),
      }))
    : undefined;
