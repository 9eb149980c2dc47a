import { encodeRecord, type IngestRecord } from '#ingest/spool-record.ts';
import type { SpoolRecord } from '#storage/ports/spool.ts';
import type { EnvelopeItem } from './envelope.ts';

export const RECORD_RECEIVED_AT_MS = 1_790_000_010_000;

/** A record as the edge spools an envelope. */
export function makeRecord(
  position: number,
  items: readonly EnvelopeItem[],
  more: Partial<IngestRecord> = {},
): SpoolRecord {
  const record = encodeRecord({
    organizationId: 1,
    projectId: 2,
    keyId: 3,
    receivedAtMs: RECORD_RECEIVED_AT_MS,
    sentAtMs: null,
    eventId: null,
    clientIp: '198.51.100.4',
    userAgent: null,
    isReplay: false,
    items: items.map(({ type, payload, headers }) => ({
      type,
      payload: Buffer.from(payload),
      facts: {
        ...(headers?.content_type !== undefined && { contentType: String(headers.content_type) }),
        ...(headers?.filename !== undefined && { filename: String(headers.filename) }),
        ...(headers?.attachment_type !== undefined && { attachmentType: String(headers.attachment_type) }),
        ...(headers?.item_count !== undefined && { itemCount: Number(headers.item_count) }),
        ...(headers?.platform !== undefined && { platform: String(headers.platform) }),
      },
    })),
    outcomes: [],
    ...more,
  });
  return { position, bytes: Buffer.concat(record) };
}
