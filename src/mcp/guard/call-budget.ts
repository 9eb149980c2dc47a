import { createThrottle, type ThrottleRule } from '#lib/throttle.ts';
import { MESSAGES_MAX } from './read-messages.ts';

/** Messages of one token: 120 at once, then 2 a second. */
const RULE: ThrottleRule = { triesMax: 120, refillMs: 500 };
/** Messages of one token that are answered at the same time; a request of the most messages fits. */
const AT_ONCE_MAX = MESSAGES_MAX;

export type CallBudget = {
  /**
   * Takes so many messages of a token's budget. Answers what gives the places back that they have meanwhile, or after how
   * many seconds another try makes sense.
   */
  take(token: string, messages: number): { release: () => void } | { retryAfterSeconds: number };
};

/** Bounds what one token asks for. In memory: a restart forgets. */
export function createCallBudget(now: () => number = Date.now): CallBudget {
  const throttle = createThrottle(RULE, now);
  const running = new Map<string, number>();
  return {
    take(token, messages) {
      for (let taken = 0; taken < messages; taken += 1) {
        const retryAfterSeconds = throttle.take(token);
        if (retryAfterSeconds !== null) return { retryAfterSeconds };
      }
      const withThese = (running.get(token) ?? 0) + messages;
      if (withThese > AT_ONCE_MAX) return { retryAfterSeconds: 1 };
      running.set(token, withThese);
      return { release: () => leave(token, messages) };
    },
  };

  function leave(token: string, messages: number): void {
    const left = (running.get(token) ?? messages) - messages;
    if (left > 0) running.set(token, left);
    else running.delete(token);
  }
}
