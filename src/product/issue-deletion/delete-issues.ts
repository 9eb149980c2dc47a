import type { Issue } from '#domain/issues/issue.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/select-issues.ts';
import { requireRight } from '#product/permissions.ts';

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
