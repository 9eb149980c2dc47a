import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import { replayNotFound } from './get-replay.ts';

/** Where the recording of a replay lies, in its order. Throws NotFound when nothing of it is stored. */
export async function listReplaySegments(
  ctx: Context,
  input: { projectSlug: string; replayId: string },
): Promise<readonly DigestedReplaySegment[]> {
  requireRight(ctx, 'event:read');
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const replayId = parseEventId(input.replayId);
  const segments =
    replayId === null
      ? []
      : await ctx.stores.telemetry.listReplaySegments(eventScope(ctx, [project.id]), replayId);
  if (segments.length === 0) throw replayNotFound(input.replayId);
  return segments;
}
