import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { factsOfKind, KEY_LIMIT_KIND } from '#product/quotas/limit-kinds.ts';
import type { KeyRateLimit } from './list-project-keys.ts';

const COUNT_MAX = 1_000_000_000;
const WINDOW_SECONDS_MAX = 86_400;

/** Throws Invalid, naming the field `count` or `window`. */
export function checkKeyRateLimit({ count, windowSeconds }: KeyRateLimit): void {
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= COUNT_MAX)) {
    throw invalid(
      `The number of errors must be whole, from 1 to ${COUNT_MAX}; to let nothing in, disable the key`,
      'count',
    );
  }
  if (!(Number.isSafeInteger(windowSeconds) && windowSeconds >= 1 && windowSeconds <= WINDOW_SECONDS_MAX)) {
    throw invalid(
      `The window must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX} (a day)`,
      'window',
    );
  }
}

/** A checked limit, or none, of a key that the caller found. */
export async function setKeyRateLimit(
  ctx: Context,
  keyId: number,
  rateLimit: KeyRateLimit | null,
): Promise<void> {
  const { categories } = factsOfKind(KEY_LIMIT_KIND);
  await ctx.stores.ingestSettings.replaceQuotas(
    ctx.organization.id,
    { scope: 'key', keyId },
    rateLimit ? [{ categories, limit: rateLimit.count, windowSeconds: rateLimit.windowSeconds }] : [],
  );
}
