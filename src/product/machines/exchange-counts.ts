import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { AddedCount, SharedCountStore } from './shared-count-store.ts';

/** Counts of this process that it shares with others. Keys are of one kind. */
export interface SharedCounts {
  /** What was counted since it was last learned about; at most `limit`. */
  listAdded(limit: number): readonly AddedCount[];
  /** What all have counted, what was listed included. */
  learn(added: AddedCount, total: number): void;
}

/** How far counts of machines may be apart. */
const EXCHANGE_EVERY_MS = 1_000;
/** Told at once; the rest follows in the next round. */
const COUNTS_MAX = 2_000;
const FORGET_EVERY_MS = 5 * 60_000;

type ExchangeDeps = { store: SharedCountStore; log: Log };

/** Tells the others what is counted here, and learns what they count, once a second while there is anything to tell. */
export function startCountExchange(
  counts: SharedCounts,
  kind: string,
  { store, log }: ExchangeDeps,
): { exchange(): Promise<void>; stop(): Promise<void> } {
  let exchanging: Promise<void> | null = null;
  let forgottenAt = performance.now();
  async function run(): Promise<void> {
    const added = counts.listAdded(COUNTS_MAX);
    try {
      if (added.length > 0) {
        const told = added.map((count) => ({ ...count, key: `${kind}:${count.key}` }));
        const totals = await store.exchange(told);
        for (const [index, count] of added.entries()) counts.learn(count, totals[index] ?? count.added);
      }
      if (performance.now() - forgottenAt > FORGET_EVERY_MS) {
        forgottenAt = performance.now();
        await store.forgetOld();
      }
    } catch (error) {
      // What was counted is told with the next round.
      log.debug({ error: messageOf(error) }, 'Counts could not be exchanged with other machines');
    }
  }
  const exchange = (): Promise<void> => {
    exchanging ??= run().finally(() => {
      exchanging = null;
    });
    return exchanging;
  };
  const timer = setInterval(() => void exchange(), EXCHANGE_EVERY_MS);
  timer.unref();
  return {
    exchange,
    async stop() {
      clearInterval(timer);
      await exchange();
    },
  };
}
