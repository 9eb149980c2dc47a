import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import type { TelemetryRows } from '#protocol/telemetry.ts';
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
async function leaveOutStored(events: EventStore, batch: PreparedBatch): Promise<PreparedEvent[]> {
  if (batch.replayed.length === 0) return batch.events;
  keepHashes(batch.replayed, await events.findFormerHashes(batch.replayed));
  const stored = await events.findStored(batch.replayed);
  return batch.events.filter((event) => !stored.has(`${event.projectId}:${event.eventId}`));
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
