import { setTimeout as delay } from 'node:timers/promises';
import { isErrataError, messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type {
  PartitionNote,
  SpoolPartitionStore,
  SpoolWorker,
} from '#product/spool/spool-partition-store.ts';
import type { ArrivedIds, PartitionReader } from '#storage/ports/spool.ts';
import type { AttemptFile } from '../attempt-file.ts';
import type { BodySampler } from '../body-sampler.ts';
import { type DigestProgress, type LoopDeps, PositionLost, runDigestLoop } from '../digest-loop.ts';
import { decodeRecord } from '../spool-record.ts';
import { rememberArrived } from './remember-arrived.ts';
import { createStoreTogether } from './store-together.ts';
import { Turns } from './turns.ts';

/** Leases are renewed, and partitions shared out, this often. */
const ROUND_MS = 1_000;
const RETRY_MS = 1_000;
/**
 * The partitions of a process are read at the same moments, so far apart, so that what arrived in all of them is stored
 * together. All digests make one insert a second between them, as one would, since an insert costs the engine about the same
 * however few events it has.
 */
const READ_EVERY_MS = { ofEachWorker: 1_000, max: 4_000 } as const;

export type PartitionDeps = LoopDeps & {
  bodies: Pick<BodySampler, 'shareWith'>;
  source: {
    topic: { id: string; partitions: number };
    open(partition: number, position: number): PartitionReader;
  };
  leases: Pick<SpoolPartitionStore, 'prepare' | 'renew' | 'take' | 'release' | 'leave'>;
  arrivedIds: ArrivedIds;
  worker: SpoolWorker;
  openAttempts(partition: number): AttemptFile;
  log: Log;
};

export type PartitionsProgress = {
  /** By number of the partition; those that this process has. */
  held: Map<number, HeldPartition>;
  /** Of partitions that this process had before. */
  former: Pick<DigestProgress, 'events' | 'quarantined' | 'lost'>;
  /** Why partitions cannot be shared out; null while they can. */
  stalled: string | null;
};

export type HeldPartition = {
  progress: DigestProgress;
  /** null until its position is known. */
  reader: PartitionReader | null;
  stopping: AbortController;
  /** Resolves when nothing of it is under way any more. */
  ended: Promise<void>;
  lastNote: { at: number; position: number; lost: number };
};

export const noProgress = (): DigestProgress => ({
  position: 0,
  depth: 0,
  events: 0,
  batches: 0,
  quarantined: 0,
  lost: 0,
  stalled: null,
});

/**
 * Digests a fair share of the partitions until `signal` says stop: a loop for each. A lease says whose a partition is, and
 * the position in the relational store decides who counts: whoever comes late counts nothing. Rejects with what a loop
 * rejects with.
 */
export async function runPartitions(
  deps: PartitionDeps,
  progress: PartitionsProgress,
  signal: AbortSignal,
): Promise<void> {
  const { source, leases, worker, log } = deps;
  const { held } = progress;
  const turns = new Turns();
  const store = createStoreTogether(deps, turns);
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  let isPrepared = false;
  let readEveryMs: number = READ_EVERY_MS.ofEachWorker;
  const lingerMs = () => readEveryMs - (performance.now() % readEveryMs);

  async function round(): Promise<void> {
    if (!isPrepared) await leases.prepare(source.topic.id, source.topic.partitions);
    isPrepared = true;
    const { kept, workers } = await leases.renew(worker, [...held].map(noteOf));
    deps.bodies.shareWith(workers);
    readEveryMs = Math.min(Math.max(1, workers) * READ_EVERY_MS.ofEachWorker, READ_EVERY_MS.max);
    for (const [partition, { stopping }] of held) {
      if (kept.includes(partition)) continue;
      log.warn({ partition }, 'A partition was taken over by another digest, which found this one silent');
      stopping.abort();
    }
    const share = Math.ceil(source.topic.partitions / workers);
    const working = [...held].filter(([, { stopping }]) => !stopping.signal.aborted);
    for (const [partition, { stopping }] of working.slice(share)) {
      log.info({ partition, workers }, 'A partition is handed over to another digest');
      stopping.abort();
    }
    if (working.length >= share) return;
    for (const taken of await leases.take(worker, [...held.keys()], share - working.length)) start(taken);
  }

  function start({ partition, isOwn }: { partition: number; isOwn: boolean }): void {
    const own: HeldPartition = {
      progress: noProgress(),
      reader: null,
      stopping: new AbortController(),
      ended: Promise.resolve(),
      lastNote: { at: performance.now(), position: 0, lost: 0 },
    };
    held.set(partition, own);
    own.ended = work(partition, isOwn, own)
      .catch((error: unknown) => {
        if (error instanceof PositionLost) log.warn({ partition }, error.message);
        else if (!own.stopping.signal.aborted) fail(error);
      })
      .then(async () => {
        await own.reader?.close();
        const { events, quarantined, lost } = own.progress;
        progress.former.events += events;
        progress.former.quarantined += quarantined;
        progress.former.lost += lost;
        // Otherwise it is free once the lease is over.
        await leases.release(worker, partition).catch(() => {});
        held.delete(partition);
      });
  }

  async function work(partition: number, isOwn: boolean, own: HeldPartition): Promise<void> {
    const { signal: ownSignal } = own.stopping;
    const trying = <T>(run: () => Promise<T>) => untilAvailable(run, own.progress, ownSignal);
    const spoolId = `${source.topic.id}:${partition}`;
    if (!isOwn) {
      const wanted = { partitions: source.topic.partitions, wanted: [partition] };
      const ids = await trying(() => rememberArrived(deps, wanted, deps.now()));
      log.info({ partition, ids }, 'A partition was taken over');
    }
    const position = await trying(() => deps.digest.findPosition(spoolId));
    own.progress.position = position;
    own.lastNote = { at: performance.now(), position, lost: 0 };
    own.reader = source.open(partition, position);
    await runDigestLoop(
      {
        ...deps,
        spool: own.reader,
        attempts: deps.openAttempts(partition),
        inTurn: turns.run,
        store,
        lingerMs,
      },
      own.progress,
      ownSignal,
    );
  }

  const stop = async (): Promise<void> => {
    for (const { stopping } of held.values()) stopping.abort();
    await Promise.all([...held.values()].map(({ ended }) => ended));
  };
  try {
    while (!signal.aborted) {
      try {
        await Promise.race([round(), failed]);
        progress.stalled = null;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        progress.stalled = error.message;
        log.warn({ error: error.message }, 'Partitions cannot be shared out while a store is away');
      }
      await Promise.race([delay(ROUND_MS, undefined, { signal }).catch(() => {}), failed]);
    }
  } finally {
    await stop();
    await leases.leave(worker).catch(() => {});
  }
}

function noteOf([partition, own]: [number, HeldPartition]): PartitionNote {
  const { progress, reader, lastNote } = own;
  const now = performance.now();
  const seconds = Math.max(0.001, (now - lastNote.at) / 1_000);
  const oldest = reader?.oldest() ?? null;
  const state = reader?.state();
  const note = {
    partition,
    position: progress.position,
    endPosition: Math.max(progress.position, state?.endPosition ?? 0),
    oldestReceivedAt: oldest && receivedAt(oldest),
    recordsPerSecond: Math.max(0, progress.position - lastNote.position) / seconds,
    newlyLost: progress.lost - lastNote.lost,
    trouble: progress.stalled ?? state?.trouble ?? null,
  };
  own.lastNote = { at: now, position: progress.position, lost: progress.lost };
  return note;
}

/** null for what is no record. */
function receivedAt(bytes: Uint8Array): number | null {
  try {
    return decodeRecord(bytes).receivedAtMs;
  } catch {
    return null;
  }
}

async function untilAvailable<T>(
  run: () => Promise<T>,
  progress: DigestProgress,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      const result = await run();
      progress.stalled = null;
      return result;
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      progress.stalled = messageOf(error);
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

const isUnavailable = (error: unknown): error is Error =>
  isErrataError(error) && error.code === 'unavailable';
