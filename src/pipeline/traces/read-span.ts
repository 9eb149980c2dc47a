import type { DigestedSpan } from '#protocol/telemetry.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOf } from '../telemetry/clock.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
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

function textOf(value: unknown, unsafeText: boolean): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  return unsafeText ? toSafeText(value) : value;
}

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/**
 * Reads one element of a span container.
 * Sources: https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/, relay-event-schema/src/protocol/span_v2.rs.
 */
export function readSpanV2(sent: Source, unsafeText: boolean): SpanFacts {
  const text = (value: unknown): string | undefined => textOf(value, unsafeText);
  const attributes = new AttributeSet(unsafeText);
  attributes.addTyped(sent.attributes);
  addVitals(attributes);
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

const WEB_VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;

/** Web vitals by the names that they have as measurements of transactions, under which pages and searches know them. */
function addVitals(attributes: AttributeSet): void {
  for (const vital of WEB_VITALS) {
    attributes.setMissing(vital, numberOf(attributes.get(`browser.web_vital.${vital}.value`)));
  }
}

/** Operation and description, said or derived; a name that is not the description is kept as `sentry.name`. */
export function describeSpan(
  attributes: AttributeSet,
  name: string | undefined,
  kindSent: string | undefined,
): Pick<SpanFacts, 'op' | 'name' | 'kind' | 'origin' | 'attributes'> {
  const kind = kindSent ?? attributes.text('sentry.kind', 'span.kind', 'otel.kind');
  const description = deriveDescription(attributes, kind?.toLowerCase() ?? kindByOp(attributes));
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

/**
 * The operation of a span that only has attributes, as OpenTelemetry names them.
 * Source: relay-spans/src/v2_to_v1.rs, `derive_op_for_v2_span`.
 */
function deriveOp(attributes: AttributeSet, kind: string): string {
  if (methodOf(attributes) !== undefined) {
    return kind === 'client' || kind === 'server' ? `http.${kind}` : 'http';
  }
  if (attributes.has('db.system') || attributes.has('db.system.name')) return 'db';
  if (attributes.has('gen_ai.system')) return 'gen_ai';
  if (attributes.has('rpc.service')) return 'rpc';
  if (attributes.has('messaging.system')) return 'message';
  return attributes.text('faas.trigger') ?? 'default';
}

/** Spans of Sentry's SDKs have an operation in place of a kind. */
function kindByOp(attributes: AttributeSet): string {
  const op = attributes.text('sentry.op');
  return op === 'http.client' || op === 'http.server' ? op.slice('http.'.length) : '';
}

/** What the span did, for people: its description, the request, the query; undefined when its name says it best. */
function deriveDescription(attributes: AttributeSet, kind: string): string | undefined {
  return (
    attributes.text('sentry.description') ??
    requestDescription(attributes, kind) ??
    queryOf(attributes) ??
    resourceUrl(attributes)
  );
}

const methodOf = (attributes: AttributeSet): string | undefined =>
  attributes.text('http.request.method', 'http.method');

function requestDescription(attributes: AttributeSet, kind: string): string | undefined {
  const method = methodOf(attributes);
  if (method === undefined) return undefined;
  const path = kind === 'server' ? serverPath(attributes) : kind === 'client' ? clientUrl(attributes) : null;
  return path ? `${method} ${path}` : undefined;
}

const serverPath = (attributes: AttributeSet): string | undefined =>
  attributes.text('http.route', 'url.path') ?? withoutQuery(attributes.text('http.target'));

/** Without the whole address, its path behind the name of the server. */
function clientUrl(attributes: AttributeSet): string | undefined {
  const url = withoutQuery(attributes.text('url.full', 'http.url'));
  if (url !== undefined) return url;
  const path = attributes.text('url.path') ?? withoutQuery(attributes.text('http.target'));
  return path && `${attributes.text('server.address', 'net.peer.name') ?? ''}${path}`;
}

/** What a page loaded: SDKs that send spans by themselves name them by the server alone. */
const resourceUrl = (attributes: AttributeSet): string | undefined =>
  attributes.text('sentry.op')?.startsWith('resource.')
    ? withoutQuery(attributes.text('url.full'))
    : undefined;

const withoutQuery = (url: string | undefined): string | undefined => url?.split(/[?#]/, 1)[0];

/** Operations of caches look like queries, but what they look up is not a description. */
function queryOf(attributes: AttributeSet): string | undefined {
  if (attributes.text('sentry.op')?.startsWith('cache.')) return undefined;
  return attributes.text('db.query.text', 'db.statement');
}
