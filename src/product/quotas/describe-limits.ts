import type { Context } from '#product/context.ts';
import { type QuotaScope, windowStartMs } from '#protocol/rate-limits.ts';
import type { StoredQuota } from '#storage/ports/ingest-settings.ts';
import type { Limit } from './check-limits.ts';
import { kindOfCategories } from './limit-kinds.ts';

/** A limit with how far it is used up. */
export type LimitUse = Limit & {
  /** Items that were accepted in this window; null for windows under an hour, which only the edge counts. */
  used: number | null;
  /** Milliseconds since the epoch: when the window ends and counting begins anew. */
  windowEndsAt: number;
};

/** Outcomes are kept by the hour. */
const COUNTED_WINDOW_SECONDS_MIN = 3_600;

/** The limits of one owner, with their use. */
export async function describeLimits(
  ctx: Context,
  scope: QuotaScope,
  ownerId: number,
  quotas: readonly StoredQuota[],
): Promise<LimitUse[]> {
  const now = ctx.now();
  const counted = quotas.filter(({ windowSeconds }) => windowSeconds >= COUNTED_WINDOW_SECONDS_MIN);
  const used = await ctx.stores.ingestSettings.countAccepted(
    counted.map(({ id, categories, limit, windowSeconds }) => ({
      quota: { id: String(id), scope, ownerId, categories, limit, windowSeconds, reasonCode: '' },
      fromMs: windowStartMs({ windowSeconds }, now),
    })),
  );
  return quotas.flatMap((quota) => {
    const { categories, limit, windowSeconds } = quota;
    const kind = kindOfCategories(categories);
    if (!kind) return [];
    const position = counted.indexOf(quota);
    return {
      kind,
      limit,
      windowSeconds,
      used: position === -1 ? null : (used[position] ?? 0),
      windowEndsAt: windowStartMs({ windowSeconds }, now) + windowSeconds * 1000,
    };
  });
}
