import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { RELEASE_ISSUES, type ReleaseIssues } from '#storage/ports/releases.ts';

/** Of each kind so many are listed; `total` counts the rest. */
export const RELEASE_ISSUES_MAX = 10;

/** Seen last first. */
export type ListedIssues = { issues: readonly Issue[]; total: number };

/** Issues that are new in a release, that came back in it, and that are resolved in it. */
export async function listReleaseIssues(
  ctx: Context,
  input: { version: string; projectSlugs: readonly string[] },
): Promise<Readonly<Record<ReleaseIssues, ListedIssues>>> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const projectIds = projects.map((project) => project.id);
  const organizationId = ctx.organization.id;
  const found = await Promise.all(
    RELEASE_ISSUES.map((which) =>
      ctx.stores.releases.listIssues(organizationId, projectIds, input.version, which, RELEASE_ISSUES_MAX),
    ),
  );
  const ids = [...new Set(found.flatMap(({ issueIds }) => issueIds))];
  const issues = new Map(
    (await ctx.stores.issues.findByIds(organizationId, ids)).map((issue) => [issue.id, issue]),
  );
  const [fresh, regressed, resolved] = found.map(
    ({ issueIds, total }): ListedIssues => ({
      issues: issueIds.flatMap((id) => issues.get(id) ?? []),
      total,
    }),
  );
  return { new: fresh ?? NONE, regressed: regressed ?? NONE, resolved: resolved ?? NONE };
}

const NONE: ListedIssues = { issues: [], total: 0 };
