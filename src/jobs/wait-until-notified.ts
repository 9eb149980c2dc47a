import { setTimeout as delay } from 'node:timers/promises';

/** A worker's sleep, ended by a feed. A notification that arrives while the worker is busy ends the next sleep at once. */
export function waitUntilNotified(
  feed: { subscribe(listener: () => void): () => void },
  signal: AbortSignal,
): { wait(ms: number): Promise<void>; pause(ms: number): Promise<void>; stop(): void } {
  let isNotified = false;
  let wake = () => {};
  const stop = feed.subscribe(() => {
    isNotified = true;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    async wait(ms) {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isNotified = false;
    },
    /** Nobody ends this one but the signal. */
    pause: async (ms) => void (await delay(ms, undefined, { signal }).catch(() => {})),
    stop,
  };
}
