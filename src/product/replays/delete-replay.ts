import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { replayNotFound } from './replays.ts';

/** Blobs that are removed at a time. */
const REMOVALS_MAX = 8;

/**
 * A replay is gone when this resolves: its recordings, its videos and what is known of it. Its errors stay. What an SDK
 * sends of it later is stored again. Throws Forbidden below the role of a manager, NotFound.
 */
export async function deleteReplay(
  ctx: Context,
  input: { projectSlug: string; replayId: string },
): Promise<void> {
  requireRight(ctx, 'event:admin');
  const project = await selectProject(ctx, input.projectSlug);
  const scope = eventScope(ctx, [project.id]);
  const replayId = parseEventId(input.replayId);
  const { telemetry, blobs } = ctx.stores;
  const [replay, segments] =
    replayId === null
      ? [null, []]
      : await Promise.all([
          telemetry.findReplay(scope, replayId),
          telemetry.listReplaySegments(scope, replayId),
        ]);
  if (replayId === null || (!replay && segments.length === 0)) throw replayNotFound(input.replayId);
  await audited(
    ctx,
    async () => {
      // Rows name the blobs: they go last, so that a deletion that stopped halfway can be repeated.
      const remove = limitConcurrency((blobKey: string) => blobs.delete(blobKey), REMOVALS_MAX);
      await Promise.all(segments.map(({ blobKey }) => remove(blobKey)));
      await telemetry.deleteReplay({ organizationId: ctx.organization.id, projectId: project.id, replayId });
    },
    () => ({
      action: 'replay.delete',
      target: { kind: 'replay', id: replayId, name: replayId },
      data: { project: project.slug, segments: segments.length },
    }),
  );
}
