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
