/** A code of an app is right for 30 seconds, and for one such step before and after. */
const REMEMBERED_MS = 90_000;
const CODES_MAX = 10_000;

/** Codes that were shown already: one that somebody looked on at opens nothing a second time (RFC 6238, section 5.2). */
export type UsedCodes = {
  /** Uses the code up; false when it was used before. */
  take(userId: string, code: string): boolean;
};

export function createUsedCodes(now: () => number = Date.now): UsedCodes {
  const usedAt = new Map<string, number>();
  return {
    take(userId, code) {
      const nowMs = now();
      for (const [key, at] of usedAt) {
        if (nowMs - at < REMEMBERED_MS && usedAt.size < CODES_MAX) break;
        usedAt.delete(key);
      }
      const key = `${userId} ${code}`;
      if (usedAt.has(key)) return false;
      usedAt.set(key, nowMs);
      return true;
    },
  };
}
