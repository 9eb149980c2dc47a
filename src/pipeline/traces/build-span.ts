import type { Attributes, DigestedSpan } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import { boundedJson } from '../normalize/bounded-json.ts';
import { isSource } from '../normalize/field-reader.ts';
import {
  ENVIRONMENT_CHARS_MAX,
  NAME_CHARS_MAX,
  PLATFORM_CHARS_MAX,
  RELEASE_CHARS_MAX,
  TRANSACTION_CHARS_MAX,
} from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { type AttributeSet, attributesOf, attributeText } from '../telemetry/attributes.ts';
import { type Placement, TIMESTAMP_PROBLEM } from '../telemetry/clock.ts';
import {
  LINK_LIMITS,
  LINKS_MAX,
  OP_CHARS_MAX,
  SPAN_AGE_MAX_US,
  SPAN_AHEAD_MAX_US,
  SPAN_DURATION_MAX_US,
  SPAN_NAME_CHARS_MAX,
  STATUS_CHARS_MAX,
} from '../telemetry/limits.ts';
import { originOf, parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { NORMALIZED_DESCRIPTION, normalizedDescription } from './normalized-description.ts';

/** A span of any format, read but not yet judged. Texts are storable and may be too long. */
export type SpanFacts = {
  source: DigestedSpan['source'];
  traceId: string | null;
  spanId: string | null;
  parentSpanId: string | null;
  segmentId: string | null;
  /** null when it was not said. */
  isSegment: boolean | null;
  transactionId: string | null;
  /** Microseconds since the epoch, as sent. */
  startedAtUs: number | null;
  endedAtUs: number | null;
  op: string | undefined;
  name: string | undefined;
  status: string | undefined;
  kind: string | undefined;
  origin: string | undefined;
  attributes: AttributeSet;
  links: readonly unknown[] | null;
};

/** What a span takes from the transaction that it came in, or tells itself. */
export type SpanColumns = Pick<
  DigestedSpan,
  'release' | 'environment' | 'platform' | 'sdkName' | 'userId' | 'segmentName'
>;

export type BuiltSpan =
  | { kind: 'span'; span: DigestedSpan }
  /** `invalid_span`: it has no ids; `timestamp`: it has no time, ends before it starts, or lies too far away. */
  | { kind: 'invalid'; reason: 'invalid_span' | 'timestamp' };

/**
 * Judges a span, scrubs it, and makes its row. `place` tells how far its timestamps are to be moved; `inherited` is what
 * it has from its transaction, null when it came by itself.
 */
export function buildSpan(
  facts: SpanFacts,
  inherited: SpanColumns | null,
  context: ItemContext,
  place: (startedAtUs: number) => Placement,
): BuiltSpan {
  const { traceId, spanId, startedAtUs, endedAtUs } = facts;
  if (traceId === null || spanId === null) return { kind: 'invalid', reason: 'invalid_span' };
  if (startedAtUs === null || endedAtUs === null) return { kind: 'invalid', reason: 'timestamp' };
  const durationUs = endedAtUs - startedAtUs;
  if (durationUs < 0 || durationUs > SPAN_DURATION_MAX_US) return { kind: 'invalid', reason: 'timestamp' };
  const { shiftUs, problem } = place(startedAtUs);
  const beganUs = startedAtUs + shiftUs;
  if (!isNear(beganUs, context.receivedAtMs)) return { kind: 'invalid', reason: 'timestamp' };
  if (problem !== null) facts.attributes.set(TIMESTAMP_PROBLEM, problem);

  const scrubbed = scrubSpan(facts, context);
  const { attributes } = scrubbed;
  const isSegment = facts.isSegment ?? (facts.segmentId === spanId || facts.parentSpanId === null);
  const op = cut(scrubbed.op, OP_CHARS_MAX) || 'default';
  const name = cut(scrubbed.name, SPAN_NAME_CHARS_MAX) || op;
  const columns = inherited ?? ownColumns(attributes, facts.source);
  const normalized = normalizedDescription(op, name);
  return {
    kind: 'span',
    span: {
      ...originOf(context),
      traceId,
      spanId,
      parentSpanId: facts.parentSpanId,
      segmentId: facts.segmentId ?? (isSegment ? spanId : null),
      isSegment,
      transactionId: facts.transactionId,
      source: facts.source,
      op,
      name,
      ...columns,
      segmentName: columns.segmentName || (isSegment ? cut(name, TRANSACTION_CHARS_MAX) : ''),
      status: cut(scrubbed.status, STATUS_CHARS_MAX).toLowerCase() || 'unknown',
      kind: kindOf(facts.kind),
      origin: cut(scrubbed.origin, NAME_CHARS_MAX),
      startedAtUs: beganUs,
      durationUs,
      attributes: normalized === null ? attributes : { [NORMALIZED_DESCRIPTION]: normalized, ...attributes },
      links: scrubbed.links,
    },
  };
}

/** Spans of transactions are known to selectors by `description` and `data`, the others by `name` and `attributes`. */
function scrubSpan(
  facts: SpanFacts,
  context: ItemContext,
): Pick<SpanFacts, 'name' | 'op' | 'status' | 'origin' | 'links'> & { attributes: Attributes } {
  const isOld = facts.source === 'transaction' || facts.source === 'span';
  const [nameKey, attributesKey] = isOld ? ['description', 'data'] : ['name', 'attributes'];
  const record = context.rules.scrubber.scrubRecord('span', {
    [nameKey]: facts.name,
    op: facts.op,
    status: facts.status,
    origin: facts.origin,
    [attributesKey]: facts.attributes.toRecord(),
    links: facts.links,
  });
  const textOf = (key: string) => {
    const value = record[key];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name: textOf(nameKey),
    op: textOf('op') ?? facts.op,
    status: textOf('status') ?? facts.status,
    origin: textOf('origin') ?? facts.origin,
    attributes: attributesOf(record[attributesKey]),
    links: Array.isArray(record.links) ? record.links : null,
  };
}

const isNear = (momentUs: number, receivedAtMs: number): boolean =>
  momentUs >= Math.max(0, receivedAtMs * 1_000 - SPAN_AGE_MAX_US) &&
  momentUs <= receivedAtMs * 1_000 + SPAN_AHEAD_MAX_US;

const cut = (text: string | undefined, charsMax: number): string => cutText((text ?? '').trim(), charsMax);

/** What a span that came by itself tells in its attributes. */
function ownColumns(attributes: Attributes, source: SpanFacts['source']): SpanColumns {
  const column = (charsMax: number, ...keys: readonly string[]): string | null =>
    cut(attributeText(attributes, ...keys), charsMax) || null;
  // Web vitals of older browser SDKs have these without a prefix.
  const old = (key: string): string[] => (source === 'span' ? [key] : []);
  return {
    release: column(RELEASE_CHARS_MAX, 'sentry.release', ...old('release'), 'resource.service.version'),
    environment: column(
      ENVIRONMENT_CHARS_MAX,
      'sentry.environment',
      ...old('environment'),
      'resource.deployment.environment.name',
      'resource.deployment.environment',
    ),
    platform: platformOf(attributeText(attributes, 'sentry.platform')) ?? 'other',
    sdkName: column(NAME_CHARS_MAX, 'sentry.sdk.name') ?? '',
    userId: column(NAME_CHARS_MAX, 'user.id', 'enduser.id'),
    segmentName:
      column(TRANSACTION_CHARS_MAX, 'sentry.segment.name', 'sentry.transaction', ...old('transaction')) ?? '',
  };
}

const KINDS: ReadonlySet<string> = new Set(['server', 'client', 'producer', 'consumer', 'internal']);

function kindOf(sent: string | undefined): string {
  const kind = (sent ?? '').trim().toLowerCase();
  return KINDS.has(kind) ? kind : '';
}

function platformOf(sent: string | undefined): string | null {
  const platform = sent?.trim().toLowerCase() ?? '';
  return platform.length <= PLATFORM_CHARS_MAX && /^[a-z0-9][a-z0-9._-]*$/.test(platform) ? platform : null;
}

/** The links of a span that name a trace and a span, within bounds; null when there are none. */
export function readLinks(sent: unknown, unsafeText: boolean): readonly unknown[] | null {
  if (!Array.isArray(sent)) return null;
  const links: unknown[] = [];
  for (const link of sent.slice(0, LINKS_MAX)) {
    if (!isSource(link)) continue;
    const traceId = parseTraceId(link.trace_id);
    const spanId = parseSpanId(link.span_id);
    if (traceId === null || spanId === null) continue;
    const attributes = isSource(link.attributes)
      ? boundedJson(link.attributes, LINK_LIMITS, unsafeText).value
      : undefined;
    links.push({
      trace_id: traceId,
      span_id: spanId,
      ...(typeof link.sampled === 'boolean' ? { sampled: link.sampled } : {}),
      ...(attributes === undefined ? {} : { attributes }),
    });
  }
  return links.length === 0 ? null : links;
}
