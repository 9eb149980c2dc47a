import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/visible-projects.ts';
import type { DiscardedIssue } from './issue-deletion-store.ts';

/**
 * Issues are gone at once, with comments, links and all; their events follow by a job, within a minute or so. With
 * `discard`, what arrives of them later is dropped, with an outcome. Cannot be undone. Answers those that were deleted;
 * issues that are not visible are left alone. Throws Forbidden below the role of a manager.
 */
export async function deleteIssues(
  ctx: Context,
  input: { issueIds: readonly number[]; discard: boolean; projectSlugs?: readonly string[] },
): Promise<{ deleted: readonly Issue[] }> {
  requireRight(ctx, 'event:admin');
  const issues = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  if (issues.length === 0) return { deleted: [] };
  const deleted = await audited(
    ctx,
    async (ctx) => {
      const ids = new Set(
        await ctx.stores.issueDeletions.deleteIssues(
          ctx.organization.id,
          issues.map((issue) => issue.id),
          { discard: input.discard },
          userIdOf(ctx),
          ctx.now(),
        ),
      );
      return issues.filter((issue) => ids.has(issue.id));
    },
    (gone) => (gone.length === 0 ? null : describeDeletion(gone, input.discard)),
  );
  return { deleted };
}

/** How many short ids an entry names. */
const NAMED_MAX = 100;

function describeDeletion(gone: readonly Issue[], discard: boolean): AuditedChange {
  const [first] = gone;
  const shortIds = gone.slice(0, NAMED_MAX).map((issue) => issue.shortId);
  return {
    action: 'issue.delete',
    target: {
      kind: 'issue',
      id: gone.length === 1 && first ? first.id : null,
      name: gone.length === 1 ? (shortIds[0] ?? '') : `${gone.length} issues`,
    },
    data: { shortIds, count: gone.length, discard },
  };
}

const DISCARDED_MAX = 500;

/** What a project drops because its issue was deleted for good, newest first, at most 500. Throws NotFound. */
export async function listDiscardedIssues(
  ctx: Context,
  projectSlug: string,
): Promise<readonly DiscardedIssue[]> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, projectSlug);
  return ctx.stores.issueDeletions.listDiscarded(ctx.organization.id, project.id, DISCARDED_MAX);
}

/** Its events are taken again, as a new issue. Throws NotFound. */
export async function restoreDiscardedIssue(
  ctx: Context,
  input: { projectSlug: string; discardedId: number },
): Promise<void> {
  requireRight(ctx, 'event:admin');
  const project = await getProject(ctx, input.projectSlug);
  await audited(
    ctx,
    async (ctx) => {
      const { issueDeletions } = ctx.stores;
      if (await issueDeletions.restore(ctx.organization.id, project.id, input.discardedId)) return;
      throw notFound(`Project ${project.slug} has no discarded issue ${input.discardedId}`);
    },
    () => ({
      action: 'issue.restore',
      target: { kind: 'discarded_issue', id: input.discardedId, name: `of ${project.slug}` },
      data: { project: project.slug },
    }),
  );
}
