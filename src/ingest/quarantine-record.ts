import type { OutcomeCount } from '#protocol/outcome.ts';
import type { QuarantineEntry } from '#storage/ports/digest.ts';
import type { SpoolRecord } from '#storage/ports/spool.ts';
import { categoryOf, quantityOf } from './item-types.ts';
import { decodeRecord, type IngestRecord } from './spool-record.ts';

/** One for each item, and those that the edge had decided already. */
export function outcomesOfQuarantined({ bytes }: SpoolRecord): OutcomeCount[] {
  const decoded = tryDecode(bytes);
  if (decoded === null) return [];
  const { organizationId, projectId, keyId, receivedAtMs, items, outcomes } = decoded;
  const origin = { organizationId, projectId, keyId, at: receivedAtMs };
  return [
    ...outcomes.map((outcome) => ({ ...origin, ...outcome })),
    ...items.map(({ type, facts }) => ({
      ...origin,
      category: categoryOf(type),
      outcome: 'invalid' as const,
      reason: 'quarantined',
      quantity: quantityOf({ type, itemCount: facts?.itemCount ?? null }),
    })),
  ];
}

/** One for each item of the record; one for a record that cannot be read. */
export function quarantineEntries(
  spoolId: string,
  record: SpoolRecord,
  attempts: number,
  reason: string,
  detail: string,
  nowMs: number,
): QuarantineEntry[] {
  const common = {
    reason,
    detail: detail.slice(0, DETAIL_CHARACTERS_MAX),
    attempts,
    record: record.bytes,
    spoolId,
    position: record.position,
  };
  const decoded = tryDecode(record.bytes);
  if (decoded === null) return [{ ...common, ...UNREADABLE, receivedAt: nowMs }];
  return decoded.items.map((item, index) => ({
    ...common,
    organizationId: decoded.organizationId,
    projectId: decoded.projectId,
    keyId: decoded.keyId,
    eventId: decoded.eventId,
    category: item.type,
    receivedAt: decoded.receivedAtMs,
    item: index,
  }));
}

/** Nobody's: only the operator's own list shows it. */
const UNREADABLE = {
  organizationId: 0,
  projectId: 0,
  keyId: null,
  eventId: null,
  category: 'unreadable',
  item: 0,
};

/** null when the bytes are no record of ours: a damaged disk, or a spool of another version. */
function tryDecode(bytes: Uint8Array): IngestRecord | null {
  try {
    return decodeRecord(bytes);
  } catch {
    return null;
  }
}

/** The error message stored with a quarantined record. */
const DETAIL_CHARACTERS_MAX = 2_000;
