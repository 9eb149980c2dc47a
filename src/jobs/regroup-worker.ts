import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '#lib/errors.ts';
import type { FaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import type { Context } from '#product/context.ts';
import { LEASE_MS, runRegroup } from '#product/grouping/run-regroup.ts';
import type { FetchPublicMap } from '#product/symbolication/fetch-public-map.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { runReprocess } from '#product/symbolication/run-reprocess.ts';
import { SymbolFiles } from '#product/symbolication/symbol-files.ts';

const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** Every process knows new rules within seconds; a batch on its way takes a few more. */
const SETTLE_MS = 10_000;
/** Digest hears of uploads at once, unless it is busy. */
const UPLOAD_HEARD_MS = 3_000;

/**
 * Works on regroups, and on uploads that are applied to stored events, as soon as they are asked for, one at a time, until
 * `signal` says stop. Of several machines one has the job: whoever is silent for 20 seconds loses it. Not a schedule of
 * the job queue: a regroup may take hours, and the page that shows it waits for its first steps. `waitForDigest` resolves
 * when what digest has understood by now is stored.
 */
export async function runRegroupWorker(
  parts: {
    stores: Context['stores'];
    fetchPublicMap: FetchPublicMap | null;
    waitForDigest: (signal?: AbortSignal) => Promise<void>;
    faults: FaultPoints;
    log: Log;
  },
  signal: AbortSignal,
): Promise<void> {
  const { stores, fetchPublicMap, waitForDigest, faults, log } = parts;
  const { regroups, regroupEvents } = stores;
  const owner = randomBytes(8).toString('hex');
  const wait = async (ms: number) => void (await delay(ms, undefined, { signal }).catch(() => {}));
  const run = async (job: Parameters<typeof runRegroup>[1]): Promise<boolean> => {
    const deps = { faults, now: Date.now, signal };
    if (job.change.kind !== 'reprocess') {
      return await runRegroup({ ...deps, regroups, regroupEvents, settleMs: SETTLE_MS }, job, owner);
    }
    // What is read of uploads is kept for one run only.
    const parser = new MapParser();
    try {
      const symbols = new SymbolFiles({ ...stores, parser, fetchPublicMap, now: Date.now });
      const settle = { settleMs: UPLOAD_HEARD_MS, waitForDigest };
      return await runReprocess({ ...deps, ...settle, stores, symbols }, job, owner);
    } finally {
      await parser.stop();
    }
  };
  while (!signal.aborted) {
    let changeId: number | null = null;
    try {
      const job = await regroups.claim(owner, LEASE_MS, Date.now());
      if (job) {
        changeId = job.change.id;
        const { kind } = job.change;
        log.info({ changeId, kind, phase: job.phase, cursor: job.cursor }, 'Regrouping stored events');
        const isFinished = await run(job);
        log.info({ changeId, kind, isFinished }, 'Regrouping ended');
        continue;
      }
      await wait(LOOK_EVERY_MS);
    } catch (error) {
      const reason = messageOf(error);
      log.warn({ changeId, error: reason }, 'Regrouping failed; it will resume where it stopped');
      if (changeId !== null) await regroups.release(changeId, owner, reason).catch(() => {});
      await wait(RETRY_AFTER_MS);
    }
  }
}
