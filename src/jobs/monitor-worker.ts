import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { advanceMonitors } from '#product/monitors/watch/advance-monitors.ts';
import { tellFacts } from '#product/monitors/watch/tell-facts.ts';
import type { Stores } from '#product/stores.ts';
import { waitUntilNotified } from './wait-until-notified.ts';

/** From one look to the next: check-ins that arrive meanwhile are looked at together. */
const APART_MS = 250;
/** So much later monitors are looked at when no check-in arrives. */
const LOOK_EVERY_MS = 250;
const RETRY_AFTER_MS = 2_000;

/**
 * Watches monitors until `signal` says stop: what check-ins say, and what is due. Of several processes, each may do it at
 * any time: a lock lets them in one after the other.
 */
export async function runMonitorWorker(
  parts: {
    stores: Stores;
    /** Announces check-ins. */
    feed: { subscribe(listener: () => void): () => void };
    log: Log;
    now: () => number;
  },
  signal: AbortSignal,
): Promise<void> {
  const { stores, feed, log, now } = parts;
  const sleep = waitUntilNotified(feed, signal, LOOK_EVERY_MS);
  const tell = () => tellFacts(stores, now());
  while (!signal.aborted) {
    try {
      if ((await advanceMonitors(stores, now, { signal, onMany: tell })) > 0) sleep.found();
      await tell();
      await sleep.pause(APART_MS);
      await sleep.wait();
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'Monitors could not be looked at; retrying');
      await sleep.pause(RETRY_AFTER_MS);
    }
  }
  sleep.stop();
}
