import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';

/** Profiles of several projects, of all that the caller may see when none is named; newest first. */
export async function listProfiles(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    /** Empty for all. */
    environments: readonly string[];
    range: Range;
    /** Contained in the name of the transaction; empty for all. */
    text: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ rows: readonly DigestedProfile[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  checkRange(input.range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { environments, limit, range } = input;
  const { rows, next } = await ctx.stores.telemetry.list('profiles', eventScope(ctx, projects), {
    limit,
    before,
    range,
    text: input.text.trim(),
    filter: environments.length > 0 ? { environment: environments } : {},
  });
  return { rows, nextCursor: next && encodeCursor(next) };
}
