import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { AddedCount, SharedCountStore } from './shared-count-store.ts';

/** Counts of this process that it shares with others. Keys are of one kind. */
export interface SharedCounts {
  /** What was counted since it was last learned about, less than nothing where counts were taken back; at most `limit`. */
  listAdded(limit: number): readonly AddedCount[];
  /** What all have counted, what was listed included. */
  learn(added: AddedCount, total: number): void;
}

/** How far counts of machines may be apart. */
const EXCHANGE_EVERY_MS = 1_000;
/** Told with one question; the rest follows at once with the next ones. */
const COUNTS_MAX = 2_000;
/** Questions of one exchange: more counts than a process has. */
const QUESTIONS_MAX = 250;
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
    try {
      for (let question = 0; question < QUESTIONS_MAX; question++) {
        const added = counts.listAdded(COUNTS_MAX);
        if (added.length === 0) break;
        const told = added.map((count) => ({ ...count, key: `${kind}:${count.key}` }));
        const totals = await store.exchange(told);
        for (const [index, count] of added.entries()) counts.learn(count, totals[index] ?? count.added);
        if (added.length < COUNTS_MAX) break;
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
