import { createHash } from 'node:crypto';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { ItemContext, RawItem } from '#pipeline/item.ts';
import { EnvelopeError, EnvelopeReader, type ItemHeader } from '#protocol/envelope.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { IngestSettings } from '#protocol/ingest-settings.ts';
import { explainEnvelopeItems } from './explain-items.ts';
import type { Explanation } from './explanation.ts';
import { looksLikeEnvelope } from './looks-like-envelope.ts';

/** What may be explained at once. */
export const EXPLAIN_BYTES_MAX = 32 * 1024 * 1024;

export type ExplainInput = {
  /** One event as JSON, or an envelope. */
  bytes: Uint8Array;
  settings: IngestSettings;
  /** As if it had been delivered then, from there, by that program. */
  receivedAtMs: number;
  clientIp: string | null;
  userAgent: string | null;
};

/**
 * Tells what would become of an event or an envelope with the given settings, by the same code that digests it. Needs
 * no store: whether its id came before is not known, and a crash dump is not read. The same input gives the same answer.
 */
export function explain(input: ExplainInput): Explanation {
  const contextOf = (envelopeEventId: string | null, sentAtMs: number | null): ItemContext => ({
    organizationId: 0,
    projectId: 0,
    keyId: 0,
    receivedAtMs: input.receivedAtMs,
    sentAtMs,
    envelopeEventId,
    clientIp: input.clientIp,
    userAgent: input.userAgent,
    rules: compileIngestRules(input.settings),
    lookUpGeo: () => null,
  });
  if (!looksLikeEnvelope(input.bytes)) {
    const item = rawItem({ ...NO_FACTS, type: 'event' }, input.bytes, 0);
    const { items: _items, ...explanation } = explainEnvelopeItems([item], contextOf(null, null));
    return explanation;
  }
  const reader = new EnvelopeReader(() => ({ kind: 'keep', bytesMax: EXPLAIN_BYTES_MAX }));
  try {
    reader.push(input.bytes);
    const header = reader.end();
    const items = reader.items.map(({ header: item, payload }, index) =>
      rawItem(item, payload ?? new Uint8Array(), index),
    );
    return explainEnvelopeItems(
      items,
      contextOf(parseEventId(header.eventId) ?? madeEventId(input), header.sentAtMs),
    );
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const reason = error.kind === 'too_large' ? 'too_large' : 'invalid_envelope';
    const outcome = { outcome: 'invalid', reason, detail: error.message } as const;
    return { outcome, event: null, grouping: null, scrubbed: [], items: [] };
  }
}

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
