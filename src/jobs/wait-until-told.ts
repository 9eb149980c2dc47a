import { setTimeout as delay } from 'node:timers/promises';

/** A worker's sleep, which a feed ends. What was told while the worker was busy ends the next one at once. */
export function waitUntilTold(
  feed: { subscribe(listener: () => void): () => void },
  signal: AbortSignal,
): { wait(ms: number): Promise<void>; pause(ms: number): Promise<void>; stop(): void } {
  let isTold = false;
  let wake = () => {};
  const stop = feed.subscribe(() => {
    isTold = true;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    async wait(ms) {
      if (!isTold && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isTold = false;
    },
    /** Nobody ends this one but the signal. */
    pause: async (ms) => void (await delay(ms, undefined, { signal }).catch(() => {})),
    stop,
  };
}
