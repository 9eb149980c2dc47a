import {
  createRecentKeys,
  createRequestWindow,
  createSlotsByKey,
  type RecentKeys,
  type RequestWindow,
  type SlotsByKey,
} from '#lib/request-window.ts';
import { MINUTE_MS } from '#lib/time.ts';

export const API_WINDOW_MS = MINUTE_MS;
const CALLERS_MAX = 20_000;
/** Requests of one address in a minute whose credentials are missing or wrong. */
const REFUSALS_PER_MINUTE_MAX = 300;
const ADDRESSES_MAX = 20_000;
/** Tokens of an address past that limit which are looked up at once, unless they were right lately. */
const LOOKUPS_AT_ONCE_MAX = 4;
const RIGHT_TOKENS_KEPT_MS = 10 * MINUTE_MS;
const RIGHT_TOKENS_MAX = 20_000;

/** What bounds the web API, for the whole web process. */
export type ApiLimits = {
  requestsPerMinuteMax: number;
  concurrentMax: number;
  /** By caller: a user with all their personal tokens, or a token of an organization. */
  requests: RequestWindow;
  underWay: SlotsByKey;
  /** By address: what was answered 401. */
  refusals: RequestWindow;
  lookups: SlotsByKey;
  /** Hashes of tokens that were right lately. */
  rightTokens: RecentKeys;
};

export function createApiLimits(
  {
    requestsPerMinuteMax,
    concurrentMax,
    refusalsPerMinuteMax = REFUSALS_PER_MINUTE_MAX,
  }: { requestsPerMinuteMax: number; concurrentMax: number; refusalsPerMinuteMax?: number },
  now: () => number = Date.now,
): ApiLimits {
  const windowMs = API_WINDOW_MS;
  return {
    requestsPerMinuteMax,
    concurrentMax,
    requests: createRequestWindow({ requestsMax: requestsPerMinuteMax, windowMs, keysMax: CALLERS_MAX }, now),
    underWay: createSlotsByKey(concurrentMax),
    refusals: createRequestWindow(
      { requestsMax: refusalsPerMinuteMax, windowMs, keysMax: ADDRESSES_MAX },
      now,
    ),
    lookups: createSlotsByKey(LOOKUPS_AT_ONCE_MAX),
    rightTokens: createRecentKeys({ keptMs: RIGHT_TOKENS_KEPT_MS, keysMax: RIGHT_TOKENS_MAX }, now),
  };
}
