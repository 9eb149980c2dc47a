import type { FaultPoints } from '#lib/fault-points.ts';
import { digestEvent } from '#pipeline/digest-event.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { AssignResult, DigestStore, QuarantineEntry } from '#storage/ports/digest.ts';
import type { EventStore } from '#storage/ports/events.ts';
import type { RecentIds, SpoolRecord } from '#storage/ports/spool.ts';
import { decodeRecord } from './spool-record.ts';

export type DigestDeps = {
  events: EventStore;
  digest: DigestStore;
  recentIds: RecentIds;
  faults: FaultPoints;
  now: () => number;
};

/** Records of a spool that follow each other, understood: ready to be stored. */
export type PreparedBatch = {
  spoolId: string;
  /** Position before the first record. */
  from: number;
  /** Position of the last record. */
  to: number;
  events: DigestedEvent[];
  /** Position of the record that brought the event, in the order of `events`. */
  positions: number[];
  /** Which events may be stored already: this record had been worked on before a crash. */
  replayed: DigestedEvent[];
  outcomes: OutcomeCount[];
  quarantine: QuarantineEntry[];
};

/**
 * The pure half: bytes to events and outcomes. Throws what the pipeline throws for a record it cannot handle; the
 * caller finds out which one, and sets it aside. `mark` is told of each record before it is touched.
 */
export function prepareBatch(
  deps: Pick<DigestDeps, 'recentIds' | 'faults'>,
  spoolId: string,
  from: number,
  records: readonly SpoolRecord[],
  mark?: (position: number) => void,
): PreparedBatch {
  const batch: PreparedBatch = {
    spoolId,
    from,
    to: records.at(-1)?.position ?? from,
    events: [],
    positions: [],
    replayed: [],
    outcomes: [],
    quarantine: [],
  };
  const inBatch = new Set<string>();
  for (const record of records) {
    mark?.(record.position);
    prepareRecord(deps, batch, inBatch, record);
  }
  return batch;
}

/**
 * The storing half. Its order makes a crash at any point harmless: ids are remembered first, then the events are
 * inserted (idempotent on project and event id), then one transaction counts them together with the position reached.
 */
export async function storeBatch(deps: DigestDeps, batch: PreparedBatch): Promise<AssignResult> {
  const nowMs = deps.now();
  if (batch.events.length > 0) {
    await deps.recentIds.remember(
      batch.events.map((event, index) => ({
        projectId: event.projectId,
        eventId: event.eventId,
        position: batch.positions[index] ?? batch.to,
      })),
      nowMs,
    );
    const missing = await leaveOutStored(deps.events, batch);
    if (missing.length > 0) {
      await deps.events.insertEvents(missing, `${batch.spoolId}:${batch.from}:${batch.to}:${missing.length}`);
    }
  }
  return deps.digest.assign(
    { spoolId: batch.spoolId, from: batch.from, to: batch.to },
    batch.events,
    batch.outcomes,
    batch.quarantine,
    nowMs,
  );
}

function prepareRecord(
  deps: Pick<DigestDeps, 'recentIds' | 'faults'>,
  batch: PreparedBatch,
  inBatch: Set<string>,
  spooled: SpoolRecord,
): void {
  const record = decodeRecord(spooled.bytes);
  const count = (outcome: Pick<OutcomeCount, 'category' | 'outcome' | 'reason' | 'quantity'>) => {
    batch.outcomes.push({
      organizationId: record.organizationId,
      projectId: record.projectId,
      keyId: record.keyId,
      at: record.receivedAtMs,
      ...outcome,
    });
  };
  record.outcomes.forEach(count);
  for (const item of record.items) {
    deps.faults.hit('digest-item', item.payload);
    const result = digestEvent({
      bytes: item.payload,
      envelopeEventId: record.eventId,
      sentAtMs: record.sentAtMs,
      receivedAtMs: record.receivedAtMs,
      clientIp: record.clientIp,
      userAgent: record.userAgent,
      organizationId: record.organizationId,
      projectId: record.projectId,
      keyId: record.keyId,
    });
    if (result.kind === 'discarded') {
      count({ category: 'error', outcome: result.outcome, reason: result.reason, quantity: 1 });
      continue;
    }
    const { event } = result;
    const name = `${event.projectId}:${event.eventId}`;
    const firstPosition = deps.recentIds.find(event.projectId, event.eventId);
    const isKnown = firstPosition !== null && firstPosition !== spooled.position && !record.isReplay;
    if (isKnown || inBatch.has(name)) {
      count({ category: 'error', outcome: 'invalid', reason: 'duplicate', quantity: 1 });
      continue;
    }
    inBatch.add(name);
    batch.events.push(event);
    batch.positions.push(spooled.position);
    if (firstPosition !== null) batch.replayed.push(event);
    count({ category: 'error', outcome: 'accepted', reason: '', quantity: 1 });
  }
}

/** After a crash some events of the stretch may have been inserted already; only those are asked for. */
async function leaveOutStored(events: EventStore, batch: PreparedBatch): Promise<DigestedEvent[]> {
  if (batch.replayed.length === 0) return batch.events;
  const stored = await events.findStored(batch.replayed);
  return batch.events.filter((event) => !stored.has(`${event.projectId}:${event.eventId}`));
}
