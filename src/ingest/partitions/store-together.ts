import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { AssignResult } from '#storage/ports/digest.ts';
import { type DigestDeps, storeBatch, storeBatches } from '../digest-batch.ts';
import type { PreparedBatch } from '../understanding/prepared-batch.ts';
import type { Turns } from './turns.ts';

/** Records that are stored together, about: more would only cost memory. */
const RECORDS_MAX = 1_000;
/** How often it is looked whether the batches of other loops are there, at most so many times. Their clocks ring within a few milliseconds. */
const LOOK = { everyMs: 20, timesMax: 25 } as const;

/** As `storeBatch`: `onRemembered` is called when a batch behind this one can be told which ids came before. */
export type StoreTogether = (batch: PreparedBatch, onRemembered?: () => void) => Promise<AssignResult>;

type Waiting = {
  batch: PreparedBatch;
  onRemembered: (() => void) | undefined;
  /** Told null when the batch has to be stored by itself. */
  resolve: (result: AssignResult | null) => void;
};

/**
 * Stores batches of different partitions as one, since an insert costs ClickHouse about the same however few events it
 * has. They wait for those that are being understood. Where it fails, or another process has counted one of them, each
 * is stored by itself, and keeps its own token from then on, however often it is tried.
 */
export function createStoreTogether(
  deps: DigestDeps & { log: Log },
  turns: Pick<Turns, 'isIdle'>,
): StoreTogether {
  const apart = new WeakSet<PreparedBatch>();
  let waiting: Waiting[] = [];

  const isEnough = () => waiting.reduce((sum, { batch: { from, to } }) => sum + to - from, 0) >= RECORDS_MAX;

  async function storeWaiting(): Promise<void> {
    for (let look = 0; look < LOOK.timesMax && !isEnough(); look++) {
      if (look > 0 && turns.isIdle) break;
      await delay(LOOK.everyMs);
    }
    const group = waiting;
    waiting = [];
    const result = group.length === 1 ? null : await storeGroup(group);
    for (const { batch, resolve } of group) {
      if (result === null) apart.add(batch);
      resolve(result);
    }
  }

  async function storeGroup(group: readonly Waiting[]): Promise<AssignResult | null> {
    const batches = group.map(({ batch }) => batch);
    try {
      const result = await storeBatches(deps, batches, () => {
        for (const { onRemembered } of group) onRemembered?.();
      });
      if (result.applied) return result;
    } catch (error) {
      // Whose fault it is shows when each is stored by itself.
      const what = { batches: batches.length, error: messageOf(error) };
      deps.log.info(what, 'Batches could not be stored together, and are stored one at a time');
    }
    // Some may have been inserted.
    for (const batch of batches) batch.replayed = batch.events;
    return null;
  }

  return async (batch, onRemembered) => {
    if (!apart.has(batch)) {
      const { promise, resolve } = Promise.withResolvers<AssignResult | null>();
      waiting.push({ batch, onRemembered, resolve });
      if (waiting.length === 1) void storeWaiting();
      const together = await promise;
      if (together) return together;
    }
    return await storeBatch(deps, batch, onRemembered);
  };
}
