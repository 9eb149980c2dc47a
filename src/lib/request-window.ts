type RequestWindowRule = {
  requestsMax: number;
  windowMs: number;
  /** Keys remembered at once; the ones that came first are forgotten first. */
  keysMax: number;
};

/** What is left of a window of time. `resetAtMs`: when the next one begins. */
export type WindowState = { remaining: number; resetAtMs: number };

/** Requests of a key in a window that others do not know of. */
export type AddedRequests = { key: string; windowEndMs: number; added: number };

/** Counts requests by key in fixed windows of time, the same for all keys. In memory: a restart forgets; what others count is learned. */
export interface RequestWindow {
  /** What was counted here and is not known elsewhere; at most `limit` keys. */
  listAdded(limit: number): readonly AddedRequests[];
  /** What all who share the window have counted for a key, what was listed included. */
  learn(added: AddedRequests, total: number): void;
  /** Counts one request; null when there is none left in this window. */
  take(key: string): WindowState | null;
  look(key: string): WindowState;
}

export function createRequestWindow(rule: RequestWindowRule, now: () => number = Date.now): RequestWindow {
  let counts = new Map<string, number>();
  /** What of the counts others know of, or told us. */
  let told = new Map<string, number>();
  let window = -1;

  function turn(): number {
    const current = Math.floor(now() / rule.windowMs);
    if (current !== window) {
      window = current;
      counts = new Map();
      told = new Map();
    }
    return (current + 1) * rule.windowMs;
  }

  return {
    listAdded(limit) {
      const windowEndMs = turn();
      const added: AddedRequests[] = [];
      for (const [key, count] of counts) {
        const known = told.get(key) ?? 0;
        if (count > known) added.push({ key, windowEndMs, added: count - known });
        if (added.length >= limit) break;
      }
      return added;
    },
    learn({ key, windowEndMs, added }, total) {
      const count = counts.get(key);
      if (windowEndMs !== turn() || count === undefined) return;
      const known = (told.get(key) ?? 0) + added;
      told.set(key, Math.max(total, known));
      counts.set(key, count - known + Math.max(total, known));
    },
    take(key) {
      const resetAtMs = turn();
      const count = counts.get(key) ?? 0;
      if (count >= rule.requestsMax) return null;
      if (count === 0 && counts.size >= rule.keysMax) {
        const first = counts.keys().next();
        if (!first.done) {
          counts.delete(first.value);
          told.delete(first.value);
        }
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

/** Bounds what one key has under way at once. */
export interface SlotsByKey {
  /** Answers how to give the slot back, or null when all are taken. */
  enter(key: string): (() => void) | null;
  free(key: string): number;
}

export function createSlotsByKey(max: number): SlotsByKey {
  const taken = new Map<string, number>();

  function leave(key: string): void {
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
  }

  return {
    enter(key) {
      const before = taken.get(key) ?? 0;
      if (before >= max) return null;
      taken.set(key, before + 1);
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave(key);
        hasLeft = true;
      };
    },
    free: (key) => max - (taken.get(key) ?? 0),
  };
}

/** Remembers keys for a while, the latest ones. In memory: a restart forgets. */
export interface RecentKeys {
  add(key: string): void;
  has(key: string): boolean;
  delete(key: string): void;
}

export function createRecentKeys(
  { keptMs, keysMax }: { keptMs: number; keysMax: number },
  now: () => number = Date.now,
): RecentKeys {
  // Oldest first.
  const addedAt = new Map<string, number>();
  return {
    add(key) {
      addedAt.delete(key);
      addedAt.set(key, now());
      const oldest = addedAt.keys().next();
      if (addedAt.size > keysMax && !oldest.done) addedAt.delete(oldest.value);
    },
    has(key) {
      const at = addedAt.get(key);
      return at !== undefined && now() - at < keptMs;
    },
    delete(key) {
      addedAt.delete(key);
    },
  };
}
