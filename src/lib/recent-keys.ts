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
