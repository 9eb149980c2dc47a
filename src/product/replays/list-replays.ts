import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry-place.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { ReplaySummary } from '#storage/ports/telemetry-summaries.ts';

/** Replays of the projects, of every visible one for none, the last begun first. */
export async function listReplays(
  ctx: Context,
  input: { projectSlugs: readonly string[]; cursor: string | null; limit: number; range?: Range | null },
): Promise<{ rows: readonly ReplaySummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const { rows, next } = await ctx.stores.telemetry.listReplays(scope, { limit: input.limit, before, range });
  return { rows, nextCursor: next && encodeCursor(next) };
}
