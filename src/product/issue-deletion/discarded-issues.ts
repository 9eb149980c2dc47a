import { notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import type { DiscardedIssue } from '#storage/ports/issue-deletions.ts';

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
      throw notFound(`The project ${project.slug} discards no issue ${input.discardedId}`);
    },
    () => ({
      action: 'issue.restore',
      target: { kind: 'discarded_issue', id: input.discardedId, name: `of ${project.slug}` },
      data: { project: project.slug },
    }),
  );
}
