import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';

/** Events may be dated up to a minute ahead of the edge's clock, and the edge's clock may run ahead of ours. */
const AHEAD_MS = 5 * 60_000;

/** The range as issues are asked for it. One that reaches up to now also holds what is dated a little ahead. */
export function seenWithin(ctx: Context, range: Range | null): Range | null {
  if (!range) return null;
  const nowMs = ctx.now();
  const isOpen = range.toMs >= nowMs - AHEAD_MS;
  return { fromMs: range.fromMs, toMs: isOpen ? Math.max(range.toMs, nowMs) + AHEAD_MS : range.toMs };
}
