import { setTimeout as delay } from 'node:timers/promises';
import { isErrataError, messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { AssignResult, BatchGate } from '#storage/ports/digest.ts';
import type { PartitionReader, SpoolReader, SpoolRecord } from '#storage/ports/spool.ts';
import type { AttemptFile, Suspects } from './attempt-file.ts';
import { type DigestDeps, prepareBatch, storeBatch } from './digest-batch.ts';
import type { StoreTogether } from './partitions/store-together.ts';
import type { RunInTurn } from './partitions/turns.ts';
import { outcomesOfQuarantined, quarantineEntries } from './quarantine-record.ts';
import type { PreparedBatch } from './understanding/prepared-batch.ts';
import { RecordFailed } from './understanding/understand-apart.ts';

const BATCH = { records: 1_000, bytes: 8 * 1024 * 1024 } as const;
/** Look for new records this often when there were none. */
const IDLE_INTERVAL_MS = 25;
/** A batch that is not full waits a moment first: many small inserts cost the engine, and whoever reads, more than one. */
const LINGER_MS = 300;
/** Failed attempts after which a record is quarantined. */
const ATTEMPTS_MAX = 3;
/** Deaths attributed to a record after which it is quarantined: the first death of a process names none. */
const MARKED_DEATHS_MAX = ATTEMPTS_MAX - 1;
const RETRY_MS = { first: 100, last: 5_000 } as const;

export type DigestProgress = {
  /** Of the last record that is done. */
  position: number;
  /** Records that wait. */
  depth: number;
  events: number;
  batches: number;
  quarantined: number;
  /** Records that the spool lost before they were read. */
  lost: number;
  /** null while the stores answer; else what the last failure said. */
  stalled: string | null;
};

/** What every loop of a process has. */
export type LoopDeps = DigestDeps & {
  /** Closed while a backup is cut. */
  gate: BatchGate;
};

/**
 * Reads the spool in batches, oldest first, until `signal` says stop. A store that is away makes it wait and try the
 * same range again. A record that fails three times, whether by an exception, by data that a store refuses or by
 * killing the process, is quarantined with an outcome, and never stops the records behind it. Rejects with PositionLost
 * when another process has counted what this one was about to count.
 */
export async function runDigestLoop(
  deps: LoopDeps & {
    spool: SpoolReader | PartitionReader;
    attempts: AttemptFile;
    log: Log;
    /** One loop of the process understands at a time, so that a death names one record; absent for a loop that is alone. */
    inTurn?: RunInTurn;
    /** Stores a batch together with those of other loops of the process; absent for a loop that is alone. */
    store?: StoreTogether;
    /** How long a batch that is not full waits now; absent for 300 ms. */
    lingerMs?: () => number;
  },
  progress: DigestProgress,
  signal: AbortSignal,
): Promise<void> {
  const { spool, attempts, gate, log, inTurn = (run) => run(), lingerMs = () => LINGER_MS } = deps;
  const storeAlone: StoreTogether = (batch, onRemembered) => storeBatch(deps, batch, onRemembered);
  const shared = 'lostUpTo' in spool ? spool : null;
  const retrying = <T>(what: string, run: () => Promise<T>) =>
    retryUntilAvailable(what, run, log, progress, signal);
  let position = await retrying('position', () => deps.digest.findPosition(spool.spoolId));
  // What was counted before a crash needs no second look.
  await spool.acknowledge(position);
  progress.position = position;
  let suspects = attempts.suspectsAfter(position);
  let overwritten = 0;

  let ahead: RecordRange | null = null;
  while (!signal.aborted) {
    const range: RecordRange | null = ahead ?? (await readRange(position));
    ahead = null;
    noteOverwritten();
    if (!range) {
      position = await passLost(position);
      continue;
    }
    // While a backup is cut, nothing is stored, and nothing forgotten.
    await retrying('gate', () => gate.enter());
    try {
      const first = range.records[0]?.position ?? position;
      // What is left of a suspect range may be unreadable by now: then the reader goes on behind it.
      if (suspects && position < suspects.to && first <= suspects.to) {
        position = await digestSuspects(position, range.records, suspects);
      } else {
        suspects = null;
        const from = position;
        const { to } = range;
        await retrying('attempt', async () => attempts.begin(from, to));
        let coming: Promise<RecordRange | null> | null = null;
        await digestRange(from, range.records, undefined, range.batch, () => {
          coming ??= prepareAhead(from, to);
        });
        ahead = await (coming as Promise<RecordRange | null> | null);
        position = to;
      }
      await retrying('acknowledge', () => spool.acknowledge(position));
      progress.position = position;
      deps.faults.reach('digest-acknowledged');
      await retrying('attempt', async () => attempts.end(position));
    } finally {
      await gate.leave();
    }
  }

  /** null when there is nothing. */
  async function readRange(from: number): Promise<RecordRange | null> {
    let records = spool.read(from, BATCH);
    progress.depth = spool.depth();
    if (records.length === 0) {
      await delay(IDLE_INTERVAL_MS);
      return null;
    }
    if (!isFull(records)) {
      await delay(lingerMs());
      records = spool.read(from, BATCH);
    }
    return { records, to: records.at(-1)?.position ?? from, batch: null };
  }

  /**
   * Understands the next range while the one before is being stored, when enough waits for it. What cannot be
   * understood is left to its turn. Should it kill this process, both ranges are suspect.
   */
  async function prepareAhead(storing: number, from: number): Promise<RecordRange | null> {
    const records = spool.read(from, BATCH);
    progress.depth = spool.depth();
    const last = records.at(-1);
    if (!last || !isFull(records)) return null;
    const range = { records, to: last.position, batch: null };
    try {
      attempts.begin(storing, last.position);
      return { ...range, batch: await inTurn(() => prepareBatch(deps, spool.spoolId, from, records)) };
    } catch {
      return range;
    }
  }

  /** Where the log has lost records, on behind them, with an alarm; else the same position. */
  async function passLost(from: number): Promise<number> {
    const to = shared?.lostUpTo() ?? null;
    if (to === null || to <= from) return from;
    log.error(
      { spoolId: spool.spoolId, from: from + 1, to, records: to - from },
      'Records were lost before they were read: the log kept them too short, or a broker lost them',
    );
    const range = { spoolId: spool.spoolId, from, to };
    await requireOwn(await retrying('lost', () => deps.digest.assign(range, [], [], [], deps.now())), to);
    progress.lost += to - from;
    await spool.acknowledge(to);
    progress.position = to;
    return to;
  }

  /** The positions are counted already, so what was written there since the log was cut can only be told. */
  function noteOverwritten(): void {
    const found = shared?.overwritten() ?? 0;
    if (found === overwritten) return;
    const records = found - overwritten;
    log.error(
      { spoolId: spool.spoolId, position, records },
      'Records were lost: brokers had lost the end of the log, and took these in its place',
    );
    progress.lost += records;
    overwritten = found;
  }

  /** What was not applied was counted before: by this process, whose answer was lost, or by one that took over. */
  async function requireOwn({ applied }: AssignResult, to: number): Promise<void> {
    if (applied || !shared) return;
    const reached = await retrying('position', () => deps.digest.findPosition(spool.spoolId));
    if (reached !== to) throw new PositionLost(spool.spoolId, to, reached);
  }

  async function digestRange(
    from: number,
    records: readonly SpoolRecord[],
    mark?: (position: number | null) => void,
    prepared: PreparedBatch | null = null,
    onRemembered?: () => void,
  ): Promise<void> {
    try {
      const batch = await retrying('blobs', async () => {
        try {
          return prepared ?? (await inTurn(() => prepareBatch(deps, spool.spoolId, from, records, mark)));
        } catch (error) {
          // Whoever stops this process while a store is away accuses no record.
          if (isUnavailable(error)) mark?.(null);
          throw error;
        }
      });
      await retrying('attempt', async () => mark?.(null));
      // A full batch needs no company, which would only cost memory.
      const store = isFull(records) ? storeAlone : (deps.store ?? storeAlone);
      await requireOwn(await retrying('batch', () => store(batch, onRemembered)), batch.to);
      progress.events += batch.events.length;
      progress.batches += 1;
    } catch (error) {
      if (signal.aborted || error instanceof PositionLost) throw error;
      const middle = Math.ceil(records.length / 2);
      const [only] = records;
      if (records.length === 1 && only) {
        await digestAlone(only, 1, error);
        return;
      }
      const failed =
        error instanceof RecordFailed ? records.findIndex(({ position }) => position === error.position) : -1;
      const culprit = records[failed];
      const left = records.slice(0, culprit ? failed : middle);
      const right = records.slice(culprit ? failed + 1 : middle);
      if (left.length > 0) await digestRange(from, left);
      if (culprit) await digestAlone(culprit, 1, error);
      const reached = (culprit ?? left.at(-1))?.position ?? from;
      if (right.length > 0) await digestRange(reached, right);
    }
  }

  /** A record that failed by itself: two more tries, then aside. */
  async function digestAlone(record: SpoolRecord, failures: number, cause: unknown): Promise<void> {
    const from = record.position - 1;
    let lastError = cause;
    for (let attempt = failures; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        const batch = await retrying('blobs', () =>
          inTurn(() => prepareBatch(deps, spool.spoolId, from, [record])),
        );
        await requireOwn(await retrying('batch', () => storeBatch(deps, batch)), batch.to);
        progress.events += batch.events.length;
        return;
      } catch (error) {
        if (signal.aborted || error instanceof PositionLost) throw error;
        lastError = error;
      }
    }
    const isFatal = lastError instanceof RecordFailed && lastError.isFatal;
    const reason = isFatal ? 'digest_crashed' : 'digest_failed';
    await quarantine(record, ATTEMPTS_MAX, reason, messageOf(lastError));
  }

  /**
   * The process died in this range before. Each record is noted before it is touched, so that a fatal one is known
   * after the next death; those that killed often enough are quarantined. Answers the position reached.
   */
  async function digestSuspects(
    from: number,
    records: readonly SpoolRecord[],
    { to, deaths }: Suspects,
  ): Promise<number> {
    const isFatal = (record: SpoolRecord) => (deaths.get(record.position) ?? 0) >= MARKED_DEATHS_MAX;
    const [first] = records;
    if (first && isFatal(first)) {
      await quarantine(
        first,
        ATTEMPTS_MAX,
        'digest_crashed',
        'The digest process died while processing this record',
      );
      return first.position;
    }
    const fatal = records.findIndex(isFatal);
    const range = (fatal === -1 ? records : records.slice(0, fatal)).filter(({ position }) => position <= to);
    await digestRange(from, range, (position) => attempts.mark(position, from, to));
    return range.at(-1)?.position ?? from;
  }

  async function quarantine(
    record: SpoolRecord,
    tries: number,
    reason: string,
    detail: string,
  ): Promise<void> {
    log.error(
      { position: record.position, reason, detail },
      'A record was quarantined: see errata quarantine list',
    );
    const nowMs = deps.now();
    const entries = quarantineEntries(spool.spoolId, record, tries, reason, detail, nowMs);
    const outcomes = outcomesOfQuarantined(record);
    const range = { spoolId: spool.spoolId, from: record.position - 1, to: record.position };
    await requireOwn(
      await retrying('quarantine', () => deps.digest.assign(range, [], outcomes, entries, nowMs)),
      range.to,
    );
    progress.quarantined += entries.length;
  }
}

/** Another process digests the partition by now. */
export class PositionLost extends Error {
  constructor(spoolId: string, to: number, reached: number) {
    super(
      `Another process has digested ${spoolId} up to ${reached}: what was digested up to ${to} is left out`,
    );
    this.name = 'PositionLost';
  }
}

/** Whether the next batch would be no larger; near enough in bytes, since a record is not cut. */
function isFull(records: readonly SpoolRecord[]): boolean {
  if (records.length >= BATCH.records) return true;
  return records.reduce((sum, { bytes }) => sum + bytes.length, 0) >= BATCH.bytes / 2;
}

/** Records that follow each other, and what became of them when they were understood already. */
type RecordRange = { records: readonly SpoolRecord[]; to: number; batch: PreparedBatch | null };

async function retryUntilAvailable<T>(
  what: string,
  run: () => Promise<T>,
  log: Log,
  progress: DigestProgress,
  signal: AbortSignal,
): Promise<T> {
  for (let waitMs: number = RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, RETRY_MS.last)) {
    try {
      const result = await run();
      progress.stalled = null;
      return result;
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      progress.stalled = error.message;
      log.warn({ what, error: error.message, waitMs }, 'A store is unavailable; digest is paused');
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

const isUnavailable = (error: unknown): error is Error =>
  isErrataError(error) && error.code === 'unavailable';
