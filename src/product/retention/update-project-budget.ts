import { invalid, notFound } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireInstanceOwner } from './require-instance-owner.ts';

/** Less would drop what arrives before anybody could look at it. */
export const PROJECT_BUDGET_BYTES_MIN = 1024 ** 2;
const PROJECT_BUDGET_BYTES_MAX = 1024 ** 5;

/**
 * Limits what a project of any organization may occupy; null returns it to its fair share. Takes effect within a minute.
 * Throws Invalid for anything but 1 MiB to 1 PiB, NotFound when there is no such project.
 */
export async function updateProjectBudget(
  ctx: Context,
  projectId: number,
  bytes: number | null,
): Promise<void> {
  requireInstanceOwner(ctx);
  const isPossible =
    bytes === null ||
    (Number.isSafeInteger(bytes) && bytes >= PROJECT_BUDGET_BYTES_MIN && bytes <= PROJECT_BUDGET_BYTES_MAX);
  if (!isPossible) throw invalid('Set a budget between 1 MiB and 1 PiB', 'budget');
  await audited(
    ctx,
    async (ctx) => {
      if (!(await ctx.stores.retention.saveBudget(projectId, bytes)))
        throw notFound('There is no such project any more');
    },
    () => ({
      action: 'org.project_budget.edit',
      target: organizationTarget(ctx),
      data: { projectId, bytes },
    }),
  );
}
