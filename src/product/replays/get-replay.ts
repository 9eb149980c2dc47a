import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { ReplaySummary } from '#storage/ports/telemetry-summaries.ts';

/** In any of the projects, in every visible one for none. Throws NotFound. */
export async function getReplay(
  ctx: Context,
  input: { projectSlugs: readonly string[]; replayId: string },
): Promise<ReplaySummary> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const replayId = parseEventId(input.replayId);
  const replay = replayId === null ? null : await ctx.stores.telemetry.findReplay(scope, replayId);
  if (!replay) throw replayNotFound(input.replayId);
  return replay;
}

export const replayNotFound = (replayId: string) =>
  notFound(
    `There is no replay "${replayId.slice(0, 40)}": it may still be on its way, or past its retention`,
  );
