import { hash } from 'node:crypto';
import type { FaultPoints } from '#lib/fault-points.ts';
import { digestEnvelope, type EnvelopeResult } from '#pipeline/digest-envelope.ts';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import type { GeoLookup, RawItem } from '#pipeline/item.ts';
import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { DigestSymbols } from '../digest-symbols.ts';
import type { Ahead } from '../read-ahead.ts';
import type { IngestRecord, RecordItem } from '../spool-record.ts';

export type UnderstandDeps = {
  faults: Pick<FaultPoints, 'hit'>;
  rules: { find(projectId: number): IngestRules };
  /** Whether an event with these grouping hashes belongs to an issue that was discarded; absent for never. */
  isDiscarded?: (projectId: number, groupingHashes: readonly string[]) => boolean;
  lookUpGeo: GeoLookup;
  /** Uploaded files that events are symbolicated with; absent for none. */
  symbols?: Pick<DigestSymbols, 'run'>;
  /** What lies in blobs and is needed for understanding the item: what a crash dump says, the head of a recording. */
  readAhead(item: RecordItem, record: IngestRecord, itemId: string): Promise<Ahead>;
};

/** Where a record lies: items get their ids by it. */
export type RecordPlace = { spoolId: string; position: number };

/** What the records before it decide. */
export type Order = {
  /** Whether an event of this id came before, in the project of the record. */
  isKnown(eventId: string): boolean;
  /** Whether problems are looked for in transactions. */
  mayDetect: boolean;
};

/** A record without its bytes: what was made of its items, and the outcomes of all of it. */
export type UnderstoodRecord = Pick<
  IngestRecord,
  'organizationId' | 'projectId' | 'keyId' | 'receivedAtMs' | 'isReplay' | 'isImport'
> & { position: number /** null without items. */; result: EnvelopeResult | null } & Pick<
    IngestRecord,
    'outcomes'
  >;

/**
 * Understands one record without storing anything, except for what `readAhead` puts beside its bodies. Throws what the
 * pipeline throws for a record that it cannot handle, and what the blob store throws.
 */
export async function understandRecord(
  deps: UnderstandDeps,
  record: IngestRecord,
  { spoolId, position }: RecordPlace,
  order: Order,
): Promise<UnderstoodRecord> {
  const { organizationId, projectId, keyId, receivedAtMs, isReplay, outcomes } = record;
  const understood = {
    organizationId,
    projectId,
    keyId,
    receivedAtMs,
    isReplay,
    ...(record.isImport && { isImport: true }),
    position,
    outcomes,
  };
  if (record.items.length === 0) return { ...understood, result: null };
  const items: RawItem[] = [];
  for (const [index, item] of record.items.entries()) {
    deps.faults.hit('digest-item', item.payload);
    const itemId = idOfItem(spoolId, position, index);
    items.push(rawItem(item, itemId, await deps.readAhead(item, record, itemId)));
  }
  const digest = (symbols?: SymbolSources) =>
    digestEnvelope(
      items,
      {
        organizationId,
        projectId,
        keyId,
        receivedAtMs,
        sentAtMs: record.sentAtMs,
        envelopeEventId: record.eventId,
        clientIp: record.clientIp,
        userAgent: record.userAgent,
        rules: deps.rules.find(projectId),
        isDiscarded: (hashes) => deps.isDiscarded?.(projectId, hashes) ?? false,
        mayDetect: order.mayDetect,
        lookUpGeo: deps.lookUpGeo,
        ...(symbols && { symbols }),
      },
      (eventId) => order.isKnown(eventId),
    );
  return { ...understood, result: deps.symbols ? await deps.symbols.run(record, digest) : digest() };
}

/** An item of a record as the pipeline takes it. */
const rawItem = ({ type, payload, facts }: RecordItem, itemId: string, ahead: Ahead): RawItem => ({
  type,
  payload,
  contentType: facts?.contentType ?? null,
  filename: facts?.filename ?? null,
  attachmentType: facts?.attachmentType ?? null,
  itemCount: facts?.itemCount ?? null,
  platform: facts?.platform ?? null,
  blob: facts?.blob ?? null,
  release: facts?.release ?? null,
  environment: facts?.environment ?? null,
  itemId,
  ...ahead,
});

/** 32 hex digits: the same for the same place in the spool. */
const idOfItem = (spoolId: string, position: number, index: number): string =>
  hash('md5', `${spoolId}:${position}:${index}`);
