import {
  ENTRIES_PER_BATCH,
  type EvaluateParts,
  evaluateOutbox,
} from '#product/alerts/evaluate/evaluate-outbox.ts';
import { CountMemory } from '#product/alerts/evaluate/judge-counts.ts';
import { waitUntilNotified } from './wait-until-notified.ts';

/** How often the outbox is checked when no notification arrives. */
const LOOK_EVERY_MS = 1_000;
/** From one look that found some to the next: what counts in windows would otherwise count without an end. */
const APART_MS = 500;
const RETRY_AFTER_MS = 2_000;

/**
 * Evaluates outbox entries with the rules of their projects as soon as they arrive, until `signal` says stop. On several machines each
 * may look at the same entries: whoever finishes first counts. After a failure it looks at half as much, so that what
 * is too much at once becomes less.
 */
export async function runAlertWorker(
  {
    feed,
    ...parts
  }: Omit<EvaluateParts, 'counts'> & {
    /** Announces new outbox entries. */
    feed: { subscribe(listener: () => void): () => void };
  },
  signal: AbortSignal,
): Promise<void> {
  const sleep = waitUntilNotified(feed, signal, LOOK_EVERY_MS);
  const counts = new CountMemory();
  let limit = ENTRIES_PER_BATCH;
  while (!signal.aborted) {
    try {
      const looked = await evaluateOutbox({ ...parts, counts }, limit);
      const isFull = looked === limit;
      limit = Math.min(ENTRIES_PER_BATCH, limit * 2);
      if (looked > 0) {
        sleep.found();
        await sleep.pause(APART_MS);
      }
      if (!isFull) await sleep.wait();
    } catch (error) {
      limit = Math.max(1, Math.floor(limit / 2));
      parts.log.warn({ error: String(error) }, 'Outbox entries could not be evaluated; retrying');
      await sleep.pause(RETRY_AFTER_MS);
    }
  }
  sleep.stop();
}
