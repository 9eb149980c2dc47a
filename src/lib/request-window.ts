export type RequestWindowRule = {
  requestsMax: number;
  windowMs: number;
  /** Keys remembered at once; the ones that came first are forgotten first. */
  keysMax: number;
};

/** What is left of a window of time. `resetAtMs`: when the next one begins. */
export type WindowState = { remaining: number; resetAtMs: number };

/** Counts requests by key in fixed windows of time, the same for all keys. In memory: a restart forgets. */
export interface RequestWindow {
  /** Counts one request; null when there is none left in this window. */
  take(key: string): WindowState | null;
  look(key: string): WindowState;
}

export function createRequestWindow(rule: RequestWindowRule, now: () => number = Date.now): RequestWindow {
  let counts = new Map<string, number>();
  let window = -1;

  function turn(): number {
    const current = Math.floor(now() / rule.windowMs);
    if (current !== window) {
      window = current;
      counts = new Map();
    }
    return (current + 1) * rule.windowMs;
  }

  return {
    take(key) {
      const resetAtMs = turn();
      const count = counts.get(key) ?? 0;
      if (count >= rule.requestsMax) return null;
      if (count === 0 && counts.size >= rule.keysMax) {
        const first = counts.keys().next();
        if (!first.done) counts.delete(first.value);
      }
      counts.set(key, count + 1);
      return { remaining: rule.requestsMax - count - 1, resetAtMs };
    },
    look(key) {
      const resetAtMs = turn();
      return { remaining: Math.max(0, rule.requestsMax - (counts.get(key) ?? 0)), resetAtMs };
    },
  };
}
