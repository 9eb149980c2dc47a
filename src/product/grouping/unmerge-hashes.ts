import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';
import { actorId } from './actor-id.ts';

export const HASHES_PER_UNMERGE_MAX = 1_000;

/**
 * Takes hashes, with their events and all later ones, out of an issue: back to the issue that a merge brought them from,
 * else to a new one. Answers the number of the issue that has them now, and what undo needs.
 */
export async function unmergeHashes(
  ctx: Context,
  issue: Issue,
  hashes: readonly string[],
): Promise<{ change: GroupingChange; issueId: number }> {
  requireRight(ctx, 'event:write');
  if (hashes.length > HASHES_PER_UNMERGE_MAX) {
    throw invalid(`At most ${HASHES_PER_UNMERGE_MAX} hashes can be taken out at once: choose fewer`, 'id');
  }
  return ctx.stores.regroups.unmerge(
    ctx.organization.id,
    { issueId: issue.id, hashes },
    actorId(ctx),
    ctx.now(),
  );
}
