import { createHash } from 'node:crypto';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { ItemContext, RawItem } from '#pipeline/item.ts';
import { EnvelopeReader, HEADER_LINE_BYTES_MAX, type ItemHeader } from '#protocol/envelope.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { IngestSettings } from '#protocol/ingest-settings.ts';

/** What may be explained at once. */
export const EXPLAIN_BYTES_MAX = 32 * 1024 * 1024;

export type ExplainInput = {
  /** One event as JSON, or an envelope. */
  bytes: Uint8Array;
  settings: IngestSettings;
  groupingRules: GroupingRules;
  /** As if it had been delivered then, from there, by that program. */
  receivedAtMs: number;
  clientIp: string | null;
  userAgent: string | null;
};

export type ReadInput = { isEnvelope: boolean; items: readonly RawItem[]; context: ItemContext };

/** Reads what the edge would have read. Throws EnvelopeError for an envelope that it would refuse. */
export function readInput(input: ExplainInput): ReadInput {
  if (!looksLikeEnvelope(input.bytes)) {
    const item = rawItem({ ...NO_FACTS, type: 'event' }, input.bytes, 0);
    return { isEnvelope: false, items: [item], context: contextOf(input, null, null) };
  }
  const reader = new EnvelopeReader(() => ({ kind: 'keep', bytesMax: EXPLAIN_BYTES_MAX }));
  reader.push(input.bytes);
  const header = reader.end();
  const items = reader.items.map(({ header: item, payload }, index) =>
    rawItem(item, payload ?? new Uint8Array(), index),
  );
  const eventId = parseEventId(header.eventId) ?? madeEventId(input);
  return { isEnvelope: true, items, context: contextOf(input, eventId, header.sentAtMs) };
}

const contextOf = (
  { settings, groupingRules, receivedAtMs, clientIp, userAgent }: ExplainInput,
  envelopeEventId: string | null,
  sentAtMs: number | null,
): ItemContext => ({
  organizationId: 0,
  projectId: 0,
  keyId: 0,
  receivedAtMs,
  sentAtMs,
  envelopeEventId,
  clientIp,
  userAgent,
  rules: compileIngestRules(settings, groupingRules),
  lookUpGeo: () => null,
});

/** The edge makes one at random where it is needed. */
const madeEventId = (input: ExplainInput): string =>
  createHash('md5').update(input.bytes).update(String(input.receivedAtMs)).digest('hex');

const NO_FACTS: Omit<ItemHeader, 'type'> = {
  length: null,
  itemCount: null,
  contentType: null,
  filename: null,
  attachmentType: null,
  platform: null,
};

const rawItem = (header: ItemHeader, payload: Uint8Array, index: number): RawItem => ({
  type: header.type,
  contentType: header.contentType,
  filename: header.filename,
  attachmentType: header.attachmentType,
  itemCount: header.itemCount,
  platform: header.platform,
  payload,
  blob: null,
  itemId: createHash('md5').update(`explain ${index}`).digest('hex'),
  crash: null,
});

/**
 * Whether bytes are an envelope rather than one event: their first line is a JSON object by itself, and the next line
 * that is not blank is one with a `type`. An event on one line has no next line; spread over several, its first line is
 * no object by itself. An envelope without items, which is rare, reads as an event.
 */
export function looksLikeEnvelope(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(10);
  if (end === -1 || parseObject(bytes.subarray(0, end)) === null) return false;
  let from = end + 1;
  while (bytes[from] === 10 || bytes[from] === 13) from += 1;
  const next = bytes.indexOf(10, from);
  const header = parseObject(bytes.subarray(from, next === -1 ? bytes.length : next));
  return typeof header?.type === 'string';
}

function parseObject(line: Uint8Array): Readonly<Record<string, unknown>> | null {
  if (line.length === 0 || line.length > HEADER_LINE_BYTES_MAX) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
