import { setTimeout as delay } from 'node:timers/promises';
import { LookPace } from '#lib/look-pace.ts';

/**
 * A worker's sleep, ended by a feed. A notification that arrives while the worker is busy ends the next sleep at once. It is
 * `lookEveryMs` long while there is something to do now and then, and longer when nothing was told, or `found`, for a while.
 */
export function waitUntilNotified(
  feed: { subscribe(listener: () => void): () => void },
  signal: AbortSignal,
  lookEveryMs: number,
): { wait(): Promise<void>; found(): void; pause(ms: number): Promise<void>; stop(): void } {
  const pace = new LookPace(lookEveryMs);
  let isNotified = false;
  let wake = () => {};
  const stop = feed.subscribe(() => {
    isNotified = true;
    pace.found();
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    async wait() {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pace.waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isNotified = false;
    },
    found: () => pace.found(),
    /** Nobody ends this one but the signal. */
    pause: async (ms) => void (await delay(ms, undefined, { signal }).catch(() => {})),
    stop,
  };
}
