import { CountMemory } from '#product/alerts/evaluate/count-memory.ts';
import { type EvaluateParts, evaluateNews, NEWS_PER_BATCH } from '#product/alerts/evaluate/evaluate-news.ts';
import { waitUntilTold } from './wait-until-told.ts';

/** News is looked for so often when nobody says that there is some. */
const LOOK_EVERY_MS = 1_000;
/** From one look that found some to the next: what counts in windows would otherwise count without an end. */
const APART_MS = 500;
const RETRY_AFTER_MS = 2_000;

/**
 * Looks at news with the rules of their projects as soon as it comes, until `signal` says stop. On several machines each
 * may look at the same news: whoever is first to finish it counts. After a failure it looks at half as much, so that what
 * is too much at once becomes less.
 */
export async function runAlertWorker(
  {
    feed,
    ...parts
  }: Omit<EvaluateParts, 'counts'> & {
    /** Tells that there is news. */
    feed: { subscribe(listener: () => void): () => void };
  },
  signal: AbortSignal,
): Promise<void> {
  const told = waitUntilTold(feed, signal);
  const counts = new CountMemory();
  let limit = NEWS_PER_BATCH;
  while (!signal.aborted) {
    try {
      const looked = await evaluateNews({ ...parts, counts }, limit);
      const isFull = looked === limit;
      limit = Math.min(NEWS_PER_BATCH, limit * 2);
      if (looked > 0) await told.pause(APART_MS);
      if (!isFull) await told.wait(LOOK_EVERY_MS);
    } catch (error) {
      limit = Math.max(1, Math.floor(limit / 2));
      parts.log.warn({ error: String(error) }, 'News waits: it could not be looked at');
      await told.pause(RETRY_AFTER_MS);
    }
  }
  told.stop();
}
