import type { Delivery, DeliveryState } from '#storage/ports/deliveries.ts';
import { formatPlural } from '#ui/format-number.ts';

/** How a message stands: `retry` is one that failed and is tried again. */
export type DeliveryLook = DeliveryState | 'retry';

/** What became of a message. The reason of a failure, and when it ended, follow it. */
export function deliveryWords(
  { state, dueAt, attempts, lastError }: Pick<Delivery, 'state' | 'dueAt' | 'attempts' | 'lastError'>,
  nowMs: number,
): { look: DeliveryLook; words: string } {
  if (state === 'open') {
    return {
      look: state,
      words: dueAt > nowMs ? `waits for its turn, ${untilWords(dueAt, nowMs)}` : 'waits',
    };
  }
  if (state !== 'sealed') return { look: state, words: state };
  if (lastError === null) return { look: state, words: 'on its way' };
  // A try counts from its beginning.
  return dueAt > nowMs
    ? {
        look: 'retry',
        words: `failed ${formatPlural(attempts, 'time')}, next try ${untilWords(dueAt, nowMs)}`,
      }
    : {
        look: 'retry',
        words: `failed ${formatPlural(Math.max(1, attempts - 1), 'time')}, is being tried again`,
      };
}

/** `in 45 s`, `in 3 minutes`. */
function untilWords(atMs: number, nowMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1_000);
  if (seconds < 60) return `in ${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? `in ${formatPlural(minutes, 'minute')}`
    : `in ${formatPlural(Math.ceil(minutes / 60), 'hour')}`;
}
