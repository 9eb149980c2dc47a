import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { DataRequestDeps } from '#product/data-requests/request-work.ts';
import { LEASE_MS, runDataRequest } from '#product/data-requests/run-data-request.ts';

const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 30_000;

/**
 * Works on requests to count, export and erase data, one at a time, until `signal` says stop. Of several machines one has a
 * request: whoever is silent for a minute loses it. Not a schedule of the job queue, as a request may take an hour.
 */
export async function runDataRequestWorker(
  parts: Pick<DataRequestDeps, 'stores' | 'backupLock' | 'faults'> & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { stores, backupLock, faults, log } = parts;
  const { dataRequests } = stores;
  const owner = randomBytes(8).toString('hex');
  const wait = async (ms: number) => void (await delay(ms, undefined, { signal }).catch(() => {}));
  while (!signal.aborted) {
    let requestId: number | null = null;
    try {
      const request = await dataRequests.claim(owner, LEASE_MS, Date.now());
      if (!request) {
        await wait(LOOK_EVERY_MS);
        continue;
      }
      requestId = request.id;
      const { state, step, subject } = request;
      log.debug({ requestId, subject, state, step }, 'Working on a data request');
      await runDataRequest({ stores, backupLock, faults, now: Date.now, signal }, request, owner);
      const after = await dataRequests.find(request.organizationId, request.id);
      if (after && after.state !== state)
        log.info({ requestId, subject, state: after.state }, 'A data request went on');
    } catch (error) {
      const reason = messageOf(error);
      log.warn({ requestId, error: reason }, 'A data request failed; it will resume where it stopped');
      if (requestId !== null)
        await dataRequests.release(requestId, owner, reason, Date.now() + RETRY_AFTER_MS).catch(() => {});
      else await wait(RETRY_AFTER_MS);
    }
  }
}
