import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { ReleaseSummary } from '#storage/ports/releases.ts';

const RELEASES_MAX = 50;
const SEARCH_CHARACTERS_MAX = 250;

/**
 * Releases that all the given projects have seen, newest first, at most 50, whose name contains the search; and the
 * newest one, when they share it. Projects that are not visible are left out.
 */
export async function listProjectReleases(
  ctx: Context,
  projectIds: readonly number[],
  search: string,
): Promise<{ releases: readonly ReleaseSummary[]; newest: string | null }> {
  requireRight(ctx, 'project:read');
  const visible = new Set((await listVisibleProjects(ctx)).map(({ id }) => id));
  const ids = [...new Set(projectIds)].filter((id) => visible.has(id));
  if (ids.length === 0) return { releases: [], newest: null };
  const [releases, newest] = await Promise.all([
    ctx.stores.releases.listReleases(ctx.organization.id, ids, {
      search: search.slice(0, SEARCH_CHARACTERS_MAX),
      limit: RELEASES_MAX,
    }),
    ctx.stores.releases.findNewest(ctx.organization.id, ids),
  ]);
  const names = new Set(ids.map((id) => newest.get(id) ?? null));
  const [only] = names;
  return { releases, newest: names.size === 1 ? (only ?? null) : null };
}
