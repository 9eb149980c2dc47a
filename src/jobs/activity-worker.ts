import type { Log } from '#lib/log.ts';
import type { Context } from '#product/context.ts';
import { tellActivities } from '#product/notifications/tell-activities.ts';
import { waitUntilTold } from './wait-until-told.ts';

/** News is looked for so often when nobody says that there is some. */
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
    /** Tells that something happened. */
    feed: { subscribe(listener: () => void): () => void };
    log: Log;
  },
  signal: AbortSignal,
): Promise<void> {
  const told = waitUntilTold(feed, signal);
  while (!signal.aborted) {
    try {
      if ((await tellActivities(stores, Date.now())) === 0) await told.wait(LOOK_EVERY_MS);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'Activities could not be told; they wait');
      await told.pause(RETRY_AFTER_MS);
    }
  }
  told.stop();
}
