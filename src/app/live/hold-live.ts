/** Actions under way in this tab. */
let pending = 0;

/**
 * Runs an action while live pages hold still: the feed tells of the very change that the action makes, and a refresh
 * in that moment would throw the action's answer away.
 */
export async function holdLive<T>(action: () => Promise<T>): Promise<T> {
  pending += 1;
  try {
    return await action();
  } finally {
    pending -= 1;
  }
}

export const isLiveHeld = (): boolean => pending > 0;
