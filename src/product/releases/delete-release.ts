import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import type { Project } from '#storage/ports/projects.ts';
import { findVisibleRelease, type NamedRelease, requireWholeRelease } from './find-visible-release.ts';
import { requireReleaseDelete } from './release-rights.ts';
import { RELEASE_DATA_DAYS } from './release-row.ts';

/**
 * Removes a release of all its projects, with its deploys and what it says of commits. Throws NotFound, Forbidden when it
 * is also of projects that the actor does not see, and Invalid while issues or sessions name it: those would name a
 * release that nobody knows.
 */
export async function deleteRelease(ctx: Context, named: NamedRelease): Promise<void> {
  requireReleaseDelete(ctx);
  const { release } = await findVisibleRelease(ctx, named);
  const projects = await requireWholeRelease(ctx, release.id);
  const { releases } = ctx.stores;
  const [issues, resolved] = await Promise.all([
    releases.countIssues(ctx.organization.id, release.id),
    releases.countResolvedIn(ctx.organization.id, release.id),
  ]);
  if (issues > 0) {
    const what = issues === 1 ? 'An issue' : `${issues} issues`;
    throw invalid(`${what} happened in this release, so it cannot be deleted: archive it instead`, 'version');
  }
  if (resolved > 0) {
    const what = resolved === 1 ? 'An issue is' : `${resolved} issues are`;
    throw invalid(
      `${what} resolved in this release, or in the one after it, so it cannot be deleted: archive it instead`,
      'version',
    );
  }
  if (await hasSessions(ctx, projects, release.version)) {
    throw invalid('Sessions are of this release, so it cannot be deleted: archive it instead', 'version');
  }
  await audited(
    ctx,
    (ctx) => ctx.stores.releases.delete(ctx.organization.id, release.id),
    (isDeleted) =>
      isDeleted
        ? {
            action: 'release.remove',
            target: { kind: 'release', id: release.id, name: release.version },
            data: { projects: projects.map(({ slug }) => slug) },
          }
        : null,
  );
}

async function hasSessions(ctx: Context, projects: readonly Project[], version: string): Promise<boolean> {
  const now = ctx.now();
  const rows = await ctx.stores.telemetry.countReleaseHealth(
    { organizationId: ctx.organization.id, projectIds: projects.map(({ id }) => id) },
    {
      range: { fromMs: now - RELEASE_DATA_DAYS * DAY_MS, toMs: now + DAY_MS },
      environments: [],
      releases: [version],
      limit: projects.length,
    },
  );
  return rows.length > 0;
}
