import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import type { Context } from '#product/context.ts';
import { LEASE_MS, runRegroup } from '#product/grouping/run-regroup.ts';

const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** Every process knows new rules within seconds; a batch on its way takes a few more. */
const SETTLE_MS = 10_000;

/**
 * Works on regroups as soon as they are asked for, one at a time, until `signal` says stop. Of several machines one has
 * the job: whoever is silent for 20 seconds loses it. Not a schedule of the job queue: a regroup may take hours, and the
 * page that shows it waits for its first steps.
 */
export async function runRegroupWorker(
  parts: { stores: Context['stores']; faults: FaultPoints; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { stores, faults, log } = parts;
  const { regroups, regroupEvents } = stores;
  const owner = randomBytes(8).toString('hex');
  const wait = async (ms: number) => void (await delay(ms, undefined, { signal }).catch(() => {}));
  while (!signal.aborted) {
    let changeId: number | null = null;
    try {
      const job = await regroups.claim(owner, LEASE_MS, Date.now());
      if (job) {
        changeId = job.change.id;
        log.info({ changeId, phase: job.phase, cursor: job.cursor }, 'Regrouping stored events');
        const deps = { regroups, regroupEvents, faults, now: Date.now, settleMs: SETTLE_MS, signal };
        const isFinished = await runRegroup(deps, job, owner);
        log.info({ changeId, isFinished }, 'A regroup has ended');
        continue;
      }
      await wait(LOOK_EVERY_MS);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ changeId, error: reason }, 'Regrouping failed; it goes on where it was');
      if (changeId !== null) await regroups.release(changeId, owner, reason).catch(() => {});
      await wait(RETRY_AFTER_MS);
    }
  }
}
