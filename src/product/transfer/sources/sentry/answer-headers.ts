import { SECOND_MS } from '#lib/time.ts';

type Headers = Readonly<Record<string, string>>;

const LINK_CHARACTERS_MAX = 10_000;

/**
 * The cursor of the next page: `<…>; rel="next"; results="true"; cursor="0:100:0"`. null when there is none.
 * Source: https://docs.sentry.io/api/pagination/
 */
export function nextCursor(link: string | undefined): string | null {
  for (const part of (link ?? '').slice(0, LINK_CHARACTERS_MAX).split(/,\s*(?=<)/)) {
    const values = Object.fromEntries(
      [...part.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    if (values.rel === 'next') return values.results === 'true' && values.cursor ? values.cursor : null;
  }
  return null;
}

/**
 * How long the next request has to wait, in milliseconds; 0 when it need not. `Retry-After` is seconds or a date, the limits are
 * requests of a window that ends at a second since the epoch.
 * Source: https://docs.sentry.io/api/ratelimits/
 */
export function waitMs(headers: Headers, nowMs: number): number {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const ms = /^\d+(\.\d+)?$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - nowMs;
    if (ms > 0) return ms;
  }
  const remaining = headers['x-sentry-rate-limit-remaining'];
  const resetAt = Number(headers['x-sentry-rate-limit-reset'] ?? 0) * SECOND_MS;
  return remaining === '0' && resetAt > nowMs ? resetAt - nowMs : 0;
}
