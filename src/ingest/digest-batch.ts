import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import type { GeoLookup, RawItem } from '#pipeline/item.ts';
import type { SymbolSources } from '#pipeline/symbolicate/artifacts.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { AssignResult, DigestStore, NamedOrigin, QuarantineEntry } from '#storage/ports/digest.ts';
import type { EventStore } from '#storage/ports/events.ts';
import type { RecentIds, SpoolRecord } from '#storage/ports/spool.ts';
import type { TelemetryStore } from '#storage/ports/telemetry.ts';
import type { BodySampler } from './body-sampler.ts';
import type { DetectionBudget } from './detection-budget.ts';
import type { DigestSymbols } from './digest-symbols.ts';
import type { Ahead } from './read-ahead.ts';
import { decodeRecord, type IngestRecord, type RecordItem } from './spool-record.ts';

export type DigestDeps = {
  events: EventStore;
  telemetry: Pick<TelemetryStore, 'insert'>;
  blobs: Pick<BlobStore, 'put'>;
  digest: DigestStore;
  recentIds: RecentIds;
  faults: FaultPoints;
  now: () => number;
} & PrepareDeps;

export type PrepareDeps = {
  recentIds: Pick<RecentIds, 'find'>;
  faults: FaultPoints;
  rules: { find(projectId: number): IngestRules };
  /** Whether an event with these grouping hashes belongs to an issue that was discarded; absent for never. */
  isDiscarded?: (projectId: number, groupingHashes: readonly string[]) => boolean;
  /** Spike protection: which events keep their body. */
  bodies: Pick<BodySampler, 'keepsBody'>;
  /** How many problems are looked for in transactions; absent for none. */
  detection?: Pick<DetectionBudget, 'hasRoom' | 'spend'>;
  lookUpGeo: GeoLookup;
  /** Uploaded files that events are symbolicated with; absent for none. */
  symbols?: Pick<DigestSymbols, 'run'>;
  /** What lies in blobs and is needed for understanding the item: what a crash dump says, the head of a recording. */
  readAhead(item: RecordItem, record: IngestRecord, itemId: string): Promise<Ahead>;
};

/** Records of a spool that follow each other, understood: ready to be stored. */
export type PreparedBatch = {
  spoolId: string;
  /** Position before the first record. */
  from: number;
  /** Position of the last record. */
  to: number;
  events: DigestedEvent[];
  rows: TelemetryRows;
  blobs: { key: string; bytes: Uint8Array }[];
  /** Event ids that the batch brings, each with the position of its record. */
  ids: { projectId: number; eventId: string; position: number }[];
  /** Which events may be stored already: this record had been worked on before a crash. */
  replayed: DigestedEvent[];
  outcomes: OutcomeCount[];
  quarantine: QuarantineEntry[];
};

/**
 * The understanding half: bytes to rows and outcomes. Throws what the pipeline throws for a record it cannot handle; the
 * caller finds out which one, and quarantines it. `mark` is told of each record before it is touched.
 */
export async function prepareBatch(
  deps: PrepareDeps,
  spoolId: string,
  from: number,
  records: readonly SpoolRecord[],
  mark?: (position: number) => void,
): Promise<PreparedBatch> {
  const batch: PreparedBatch = {
    spoolId,
    from,
    to: records.at(-1)?.position ?? from,
    events: [],
    rows: Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows,
    blobs: [],
    ids: [],
    replayed: [],
    outcomes: [],
    quarantine: [],
  };
  const inBatch = new Set<string>();
  for (const [index, record] of records.entries()) {
    // What the former batch still sends to the stores goes on in between.
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn();
    mark?.(record.position);
    await prepareRecord(deps, batch, inBatch, record);
  }
  sampleBodies(deps, batch);
  return batch;
}

/** A few milliseconds of work. */
const RECORDS_PER_TURN = 16;

/**
 * The storing half. Its order makes a crash at any point harmless: blobs first, then ids are remembered, then rows are
 * inserted (idempotent on their identity), then one transaction counts them together with the position reached.
 * `onRemembered` is called when a batch behind this one can be told which ids came before.
 */
export async function storeBatch(
  deps: DigestDeps,
  batch: PreparedBatch,
  onRemembered: () => void = () => {},
): Promise<AssignResult> {
  const nowMs = deps.now();
  const token = `${batch.spoolId}:${batch.from}:${batch.to}`;
  deps.faults.reach('digest-prepared');
  await putBlobs(deps.blobs, batch.blobs);
  deps.faults.reach('digest-blobs-put');
  if (batch.ids.length > 0) await deps.recentIds.remember(batch.ids, nowMs);
  deps.faults.reach('digest-ids-remembered');
  onRemembered();
  if (batch.events.length > 0) {
    const missing = await leaveOutStored(deps.events, batch);
    if (missing.length > 0) await deps.events.insertEvents(missing, `${token}:${missing.length}`);
  }
  deps.faults.reach('digest-events-inserted');
  await deps.telemetry.insert(batch.rows, token);
  deps.faults.reach('digest-telemetry-inserted');
  const result = await deps.digest.assign(
    { spoolId: batch.spoolId, from: batch.from, to: batch.to },
    batch.events,
    batch.outcomes,
    batch.quarantine,
    nowMs,
    namedOrigins(batch.rows),
    batch.rows.checkIns,
  );
  deps.faults.reach('digest-assigned');
  return result;
}

/** Releases and environments that sessions and transactions name, each once: they show although nothing failed in them. */
function namedOrigins({ sessions, transactions }: TelemetryRows): readonly NamedOrigin[] {
  const named = new Map<string, NamedOrigin>();
  for (const { organizationId, projectId, release, environment, receivedAt } of [
    ...sessions,
    ...transactions,
  ]) {
    if (!release && !environment) continue;
    const key = JSON.stringify([projectId, release, environment]);
    const known = named.get(key);
    if (!known || receivedAt < known.at) {
      named.set(key, { organizationId, projectId, release, environment, at: receivedAt });
    }
  }
  return [...named.values()];
}

async function prepareRecord(
  deps: PrepareDeps,
  batch: PreparedBatch,
  inBatch: Set<string>,
  spooled: SpoolRecord,
): Promise<void> {
  const record = decodeRecord(spooled.bytes);
  const { organizationId, projectId, keyId } = record;
  const origin = { organizationId, projectId, keyId, at: record.receivedAtMs };
  for (const outcome of record.outcomes) batch.outcomes.push({ ...origin, ...outcome });
  if (record.items.length === 0) return;

  const items: RawItem[] = [];
  for (const [index, item] of record.items.entries()) {
    deps.faults.hit('digest-item', item.payload);
    const itemId = idOfItem(batch.spoolId, spooled.position, index);
    items.push(rawItem(item, itemId, await deps.readAhead(item, record, itemId)));
  }
  const isKnown = (eventId: string) => {
    if (inBatch.has(`${projectId}:${eventId}`)) return true;
    if (record.isReplay) return false;
    const position = deps.recentIds.find(projectId, eventId);
    return position !== null && position !== spooled.position;
  };
  const digest = (symbols?: SymbolSources) =>
    digestEnvelope(
      items,
      {
        organizationId,
        projectId,
        keyId,
        receivedAtMs: record.receivedAtMs,
        sentAtMs: record.sentAtMs,
        envelopeEventId: record.eventId,
        clientIp: record.clientIp,
        userAgent: record.userAgent,
        rules: deps.rules.find(projectId),
        isDiscarded: (hashes) => deps.isDiscarded?.(projectId, hashes) ?? false,
        mayDetect: deps.detection?.hasRoom(projectId, record.receivedAtMs, spooled.position) ?? false,
        lookUpGeo: deps.lookUpGeo,
        ...(symbols && { symbols }),
      },
      isKnown,
    );
  const result = deps.symbols ? await deps.symbols.run(record, digest) : digest();
  for (const outcome of result.outcomes) batch.outcomes.push({ ...origin, ...outcome });
  for (const event of result.events) {
    if (deps.recentIds.find(projectId, event.eventId) !== null) batch.replayed.push(event);
    batch.events.push(event);
  }
  const detected = result.events.filter(({ payload }) => payload.occurrence).length;
  deps.detection?.spend(projectId, record.receivedAtMs, spooled.position, detected);
  for (const { eventId } of [...result.events, ...result.rows.transactions]) {
    inBatch.add(`${projectId}:${eventId}`);
    batch.ids.push({ projectId, eventId, position: spooled.position });
  }
  batch.blobs.push(...result.blobs);
  for (const kind of TELEMETRY_KINDS) {
    for (const row of result.rows[kind]) (batch.rows[kind] as unknown[]).push(row);
  }
}

/** Last of all: a batch that could not be understood while a store was away comes again, and is to count once. */
function sampleBodies({ rules, bodies }: PrepareDeps, batch: PreparedBatch): void {
  batch.events = batch.events.map((event) => {
    const { spike } = rules.find(event.projectId).settings;
    return bodies.keepsBody(event, spike) ? event : { ...event, hasBody: false };
  });
}

/** Blobs written at the same time. */
const BLOB_WRITES_MAX = 8;

async function putBlobs(store: Pick<BlobStore, 'put'>, blobs: PreparedBatch['blobs']): Promise<void> {
  for (let start = 0; start < blobs.length; start += BLOB_WRITES_MAX) {
    await Promise.all(
      blobs.slice(start, start + BLOB_WRITES_MAX).map(({ key, bytes }) => store.put(key, bytes)),
    );
  }
}

/** After a crash some events of the range may have been inserted already; only those are asked for. */
async function leaveOutStored(events: EventStore, batch: PreparedBatch): Promise<DigestedEvent[]> {
  if (batch.replayed.length === 0) return batch.events;
  const former = await events.findFormerHashes(batch.replayed);
  batch.events = batch.events.map((event) => keepHash(event, former));
  batch.replayed = batch.replayed.map((event) => keepHash(event, former));
  const stored = await events.findStored(batch.replayed);
  return batch.events.filter((event) => !stored.has(`${event.projectId}:${event.eventId}`));
}

/** What is stored keeps its hash, also when other rules of grouping count by now: it is counted where it lies. */
function keepHash(event: DigestedEvent, former: ReadonlyMap<string, string>): DigestedEvent {
  const hash = former.get(`${event.projectId}:${event.eventId}`);
  return hash === undefined || hash === event.groupingHash
    ? event
    : { ...event, groupingHash: hash, groupingHashes: [hash] };
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
