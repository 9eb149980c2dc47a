import type { Log } from '#lib/log.ts';
import type { Context } from '#product/context.ts';
import { notifyActivities } from '#product/notifications/notify-activities.ts';
import { waitUntilNotified } from './wait-until-notified.ts';

/** How often the outbox is checked when no notification arrives. */
const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 5_000;

/**
 * Puts what happens to issues into the mails of those whom it concerns, as soon as it happened, until `signal` says stop.
 * On several machines at once, each takes what the others have not.
 */
export async function runActivityWorker(
  {
    stores,
    feed,
    log,
  }: {
    stores: Context['stores'];
    /** Announces new activities. */
    feed: { subscribe(listener: () => void): () => void };
    log: Log;
  },
  signal: AbortSignal,
): Promise<void> {
  const sleep = waitUntilNotified(feed, signal, LOOK_EVERY_MS);
  while (!signal.aborted) {
    try {
      if ((await notifyActivities(stores, Date.now())) > 0) sleep.found();
      else await sleep.wait();
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'Activity notifications failed; retrying');
      await sleep.pause(RETRY_AFTER_MS);
    }
  }
  sleep.stop();
}
