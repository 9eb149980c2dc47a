import { hash } from 'node:crypto';
import { addressGroup, clientAddress } from '#lib/client-address.ts';
import { ErrataError, isErrataError } from '#lib/errors.ts';
import type { WindowState } from '#lib/request-window.ts';
import { API_WINDOW_MS, type ApiLimits } from '#product/api-limits.ts';
import type { Services } from '#product/services.ts';
import { type ApiCaller, authenticateCaller } from './api-caller.ts';

/**
 * As `authenticateCaller`, which an address may fail a bounded number of times in a minute. Beyond that, few requests of
 * it are looked at, at once, so that right credentials still open; those with a token that was right lately do not wait
 * for these, so that nobody is kept out by others behind the same address. Throws Unauthorized, RateLimited.
 */
export async function authenticateWithinLimits(services: Services, request: Request): Promise<ApiCaller> {
  const { refusals, lookups, rightTokens } = services.apiLimits;
  const address = addressGroup(clientAddress(request.headers));
  const token = hashToken(request.headers.get('authorization'));
  const isBounded = refusals.look(address).remaining === 0 && !(token && rightTokens.has(token));
  const leave = isBounded ? lookups.enter(address) : () => {};
  if (!leave) throw tooManyRefusals(services);
  try {
    const caller = await authenticateCaller(services, request);
    if (token) rightTokens.add(token);
    return caller;
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'unauthorized') throw error;
    if (token) rightTokens.delete(token);
    throw refusals.take(address) ? error : tooManyRefusals(services);
  } finally {
    leave();
  }
}

const hashToken = (authorization: string | null): string | null =>
  authorization === null ? null : hash('sha256', authorization, 'base64url');

/** What a caller has left, as headers, and how to give the place of this request back. */
export type CallerTurn =
  | { kind: 'entered'; headers: Readonly<Record<string, string>>; leave: () => void }
  | { kind: 'refused'; headers: Readonly<Record<string, string>>; error: ErrataError };

/** Counts a request of a caller. */
export function enterCaller(
  { apiLimits: limits, now }: Pick<Services, 'apiLimits' | 'now'>,
  key: string,
): CallerTurn {
  const leave = limits.underWay.enter(key);
  if (!leave) {
    const headers = headersOf(limits, key, limits.requests.look(key));
    const message = `Too many requests at once: at most ${limits.concurrentMax} concurrent requests per user or token`;
    return { kind: 'refused', headers, error: rateLimited(message, 1) };
  }
  const state = limits.requests.take(key);
  const headers = headersOf(limits, key, state ?? limits.requests.look(key));
  if (state) return { kind: 'entered', headers, leave };
  leave();
  const message = `Too many requests: the limit is ${limits.requestsPerMinuteMax} requests per ${API_WINDOW_MS / 1000} seconds`;
  const { resetAtMs } = limits.requests.look(key);
  return { kind: 'refused', headers, error: rateLimited(message, secondsUntil(resetAtMs, now())) };
}

/** Source of the names: https://docs.sentry.io/api/ratelimits/ */
const headersOf = (limits: ApiLimits, key: string, { remaining, resetAtMs }: WindowState) => ({
  'x-sentry-rate-limit-limit': String(limits.requestsPerMinuteMax),
  'x-sentry-rate-limit-remaining': String(remaining),
  'x-sentry-rate-limit-reset': String(Math.ceil(resetAtMs / 1000)),
  'x-sentry-rate-limit-concurrentlimit': String(limits.concurrentMax),
  'x-sentry-rate-limit-concurrentremaining': String(limits.underWay.free(key)),
});

function tooManyRefusals({ apiLimits, now }: Pick<Services, 'apiLimits' | 'now'>): ErrataError {
  const { resetAtMs } = apiLimits.refusals.look('');
  return rateLimited(
    'Too many requests without valid credentials from your IP address: check the token and try again later',
    secondsUntil(resetAtMs, now()),
  );
}

const secondsUntil = (atMs: number, nowMs: number) => Math.max(1, Math.ceil((atMs - nowMs) / 1000));

const rateLimited = (message: string, retryAfterSeconds: number) =>
  new ErrataError('rate_limited', message, { retryAfterSeconds });
