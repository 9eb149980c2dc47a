import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { AssignResult, DigestStore, NamedOrigin } from '#storage/ports/digest.ts';
import type { EventStore, PreparedEvent } from '#storage/ports/events.ts';
import type { RecentIds, SpoolRecord } from '#storage/ports/spool.ts';
import type { TelemetryStore } from '#storage/ports/telemetry.ts';
import type { BodySampler } from './body-sampler.ts';
import { decodeRecord } from './spool-record.ts';
import { BatchBuilder, type OrderDeps, type PreparedBatch } from './understanding/prepared-batch.ts';
import { type Understanding, understandApart } from './understanding/understand-apart.ts';
import { type UnderstandDeps, understandRecord } from './understanding/understand-record.ts';

export type DigestDeps = {
  events: EventStore;
  telemetry: Pick<TelemetryStore, 'insert'>;
  blobs: Pick<BlobStore, 'put'>;
  digest: DigestStore;
  recentIds: RecentIds;
  faults: FaultPoints;
  now: () => number;
} & PrepareDeps;

export type PrepareDeps = UnderstandDeps &
  OrderDeps & {
    /** Spike protection: which events keep their body. */
    bodies: Pick<BodySampler, 'keepsBody'>;
    /** Threads that understand; absent to do it in this one. */
    threads?: Understanding;
  };

/**
 * The understanding half: bytes to rows and outcomes. Throws what the pipeline throws for a record it cannot handle, as
 * `RecordFailed` where it is known which one; the caller finds it out otherwise, and quarantines it. `mark` is told of
 * each record before it is touched.
 */
export async function prepareBatch(
  deps: PrepareDeps,
  spoolId: string,
  from: number,
  records: readonly SpoolRecord[],
  mark?: (position: number) => void,
): Promise<PreparedBatch> {
  const builder = new BatchBuilder(deps, spoolId, from, records.at(-1)?.position ?? from);
  if (deps.threads) await understandApart(deps.threads, builder, records, mark);
  else await understandHere(deps, builder, records, mark);
  sampleBodies(deps, builder.batch);
  return builder.batch;
}

async function understandHere(
  deps: PrepareDeps,
  builder: BatchBuilder,
  records: readonly SpoolRecord[],
  mark?: (position: number) => void,
): Promise<void> {
  const { spoolId } = builder.batch;
  for (const [index, { position, bytes }] of records.entries()) {
    // What the former batch still sends to the stores goes on in between.
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn();
    mark?.(position);
    const record = decodeRecord(bytes);
    const placed = { ...record, position };
    const order = {
      isKnown: (eventId: string) => builder.isKnown(placed, eventId),
      mayDetect: builder.mayDetect(placed),
    };
    builder.add(await understandRecord(deps, record, { spoolId, position }, order));
  }
}

/** A few milliseconds of work. */
const RECORDS_PER_TURN = 16;

/**
 * The storing half. Its order makes a crash at any point harmless: blobs first, then ids are remembered, then rows are
 * inserted (idempotent on their identity), then one transaction counts them together with the position reached.
 * `onRemembered` is called when a batch behind this one can be told which ids came before.
 */
export const storeBatch = (
  deps: DigestDeps,
  batch: PreparedBatch,
  onRemembered: () => void = () => {},
): Promise<AssignResult> => storeBatches(deps, [batch], onRemembered);

/** As `storeBatch`, of batches of different spools: all or none is counted. */
export async function storeBatches(
  deps: DigestDeps,
  batches: readonly PreparedBatch[],
  onRemembered: () => void,
): Promise<AssignResult> {
  const nowMs = deps.now();
  const token = tokenOf(batches);
  const rows = joinRows(batches);
  deps.faults.reach('digest-prepared');
  await putBlobs(
    deps.blobs,
    batches.flatMap(({ blobs }) => blobs),
  );
  deps.faults.reach('digest-blobs-put');
  const ids = batches.flatMap((batch) => batch.ids);
  if (ids.length > 0) await deps.recentIds.remember(ids, nowMs);
  deps.faults.reach('digest-ids-remembered');
  onRemembered();
  const events = batches.flatMap((batch) => batch.events);
  if (events.length > 0) {
    const replayed = batches.flatMap((batch) => batch.replayed);
    const missing = await leaveOutStored(deps.events, events, replayed);
    if (missing.length > 0) await deps.events.insertEvents(missing, `${token}:${missing.length}`);
  }
  deps.faults.reach('digest-events-inserted');
  await deps.telemetry.insert(rows, token);
  deps.faults.reach('digest-telemetry-inserted');
  const result = await deps.digest.assign(
    batches.map(({ spoolId, from, to }) => ({ spoolId, from, to })),
    events,
    batches.flatMap(({ outcomes }) => outcomes),
    batches.flatMap(({ quarantine }) => quarantine),
    nowMs,
    namedOrigins(rows),
    rows.checkIns,
  );
  deps.faults.reach('digest-assigned');
  return result;
}

/** The same for the same batches, as ClickHouse knows them again by. */
function tokenOf(batches: readonly PreparedBatch[]): string {
  const tokens = batches.map(({ spoolId, from, to }) => `${spoolId}:${from}:${to}`);
  if (tokens.length === 1) return tokens.join();
  return createHash('sha256').update(tokens.join()).digest('hex');
}

function joinRows(batches: readonly PreparedBatch[]): TelemetryRows {
  const [first] = batches;
  if (first && batches.length === 1) return first.rows;
  return Object.fromEntries(
    TELEMETRY_KINDS.map((kind) => [kind, batches.flatMap(({ rows }): readonly unknown[] => rows[kind])]),
  ) as unknown as TelemetryRows;
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

/** Last of all: a batch that could not be understood while a store was away comes again, and is to count once. */
function sampleBodies({ rules, bodies }: PrepareDeps, batch: PreparedBatch): void {
  for (const event of batch.events) {
    const { spike } = rules.find(event.projectId).settings;
    event.hasBody = event.isImport === true || bodies.keepsBody(event, spike);
  }
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
async function leaveOutStored(
  store: EventStore,
  events: readonly PreparedEvent[],
  replayed: readonly PreparedEvent[],
): Promise<readonly PreparedEvent[]> {
  if (replayed.length === 0) return events;
  keepHashes(replayed, await store.findFormerHashes(replayed));
  const stored = await store.findStored(replayed);
  return events.filter((event) => !stored.has(`${event.projectId}:${event.eventId}`));
}

/** What is stored keeps its hash, also when other rules of grouping count by now: it is counted where it lies. */
function keepHashes(events: readonly PreparedEvent[], former: ReadonlyMap<string, string>): void {
  for (const event of events) {
    const hash = former.get(`${event.projectId}:${event.eventId}`);
    if (hash === undefined || hash === event.groupingHash) continue;
    event.groupingHash = hash;
    event.groupingHashes = [hash];
  }
}
