import { hash, randomBytes } from 'node:crypto';

/** How many tries a key has, and how fast they come back. */
export type ThrottleRule = {
  triesMax: number;
  /** Time after which one try comes back. */
  refillMs: number;
};

/**
 * Counts tries by key (an address, an account). In memory: a restart forgets. Nothing else does, however many keys come:
 * they share a fixed number of slots, and which keys share one cannot be foreseen from outside.
 */
export interface Throttle {
  /** Uses up one try. Answers null, or after how many seconds there is one again. */
  take(key: string): number | null;
  /** Gives a key one try back. */
  giveBack(key: string): void;
  /** Gives a key all its tries back. */
  reset(key: string): void;
}

/** As many as two bytes of a hash tell apart; 512 KiB. */
const SLOTS = 65_536;
const SALT_BYTES = 32;

export function createThrottle(rule: ThrottleRule, now: () => number = Date.now): Throttle {
  // The time at which all tries of a slot are back; each try moves it by one refill.
  const fullAt = new Float64Array(SLOTS);
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const slotOf = (key: string): number => hash('sha256', salt + key, 'buffer').readUInt16BE();
  const fullAtOf = (slot: number): number => fullAt[slot] ?? 0;
  return {
    take(key) {
      const slot = slotOf(key);
      const nowMs = now();
      const next = Math.max(fullAtOf(slot), nowMs) + rule.refillMs;
      const overMs = next - nowMs - rule.triesMax * rule.refillMs;
      if (overMs > 0) return Math.ceil(overMs / 1000);
      fullAt[slot] = next;
      return null;
    },
    giveBack(key) {
      const slot = slotOf(key);
      fullAt[slot] = fullAtOf(slot) - rule.refillMs;
    },
    reset(key) {
      fullAt[slotOf(key)] = 0;
    },
  };
}
