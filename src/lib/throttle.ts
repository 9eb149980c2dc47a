/** How many tries a key has, and how fast they come back. */
export type ThrottleRule = {
  triesMax: number;
  /** Time after which one try comes back. */
  refillMs: number;
  /** Keys remembered at once; the ones that waited longest are forgotten first. */
  keysMax: number;
};

/** Counts tries by key (an address, an account). In memory: a restart forgets. */
export interface Throttle {
  /** Uses up one try. Answers null, or after how many seconds there is one again. */
  take(key: string): number | null;
  /** Gives a key all its tries back. */
  reset(key: string): void;
}

export function createThrottle(rule: ThrottleRule, now: () => number = Date.now): Throttle {
  // The time at which all tries of a key are back; each try moves it by one refill. Oldest use first.
  const fullAt = new Map<string, number>();
  return {
    take(key) {
      const nowMs = now();
      const next = Math.max(fullAt.get(key) ?? 0, nowMs) + rule.refillMs;
      const overMs = next - nowMs - rule.triesMax * rule.refillMs;
      if (overMs > 0) return Math.ceil(overMs / 1000);
      fullAt.delete(key);
      fullAt.set(key, next);
      if (fullAt.size > rule.keysMax) forgetOne(fullAt);
      return null;
    },
    reset(key) {
      fullAt.delete(key);
    },
  };
}

function forgetOne(fullAt: Map<string, number>): void {
  const oldest = fullAt.keys().next();
  if (!oldest.done) fullAt.delete(oldest.value);
}
