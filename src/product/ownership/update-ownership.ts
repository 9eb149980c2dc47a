import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { Ownership, StoredOwnership } from '#storage/ports/ownership.ts';
import { checkOwnership } from './check-ownership.ts';
import { loadOwnerDirectory } from './resolve-owner.ts';

const ROOT_CHARACTERS_MAX = 500;

/**
 * Changes a part of who owns what; it counts for what is digested from then on, and on the pages at once. `version` is
 * that which was edited; absent for whatever is there. Throws Invalid, naming the line, NotFound, and Conflict when
 * somebody else changed it meanwhile.
 */
export async function updateOwnership(
  ctx: Context,
  input: { projectSlug: string; change: Partial<Ownership>; version?: number },
): Promise<StoredOwnership> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const { ownership } = ctx.stores;
  const current = await ownership.find(ctx.organization.id, project.id);
  if (!current) throw projectNotFound(ctx, input.projectSlug);
  const next: Ownership = {
    rules: input.change.rules ?? current.rules,
    codeowners: input.change.codeowners ?? current.codeowners,
    stackRoot: (input.change.stackRoot ?? current.stackRoot).trim(),
    sourceRoot: (input.change.sourceRoot ?? current.sourceRoot).trim(),
    autoAssign: input.change.autoAssign ?? current.autoAssign,
  };
  await requireValid(ctx, next, input.change);
  return audited(
    ctx,
    async (ctx) => {
      const saved = await ctx.stores.ownership.save(
        ctx.organization.id,
        project.id,
        next,
        input.version ?? current.version,
        userIdOf(ctx),
        ctx.now(),
      );
      if (!saved) throw projectNotFound(ctx, input.projectSlug);
      return saved;
    },
    ({ version }) => ({
      action: 'project.ownership-rule.edit',
      target: projectTarget(project),
      data: { fields: Object.keys(input.change), version },
    }),
  );
}

/** Only texts that change are looked at: somebody may have left since the others were saved. */
async function requireValid(ctx: Context, next: Ownership, change: Partial<Ownership>): Promise<void> {
  const problems = checkOwnership(
    { rules: change.rules ?? '', codeowners: change.codeowners ?? '' },
    await loadOwnerDirectory(ctx),
  );
  const [rule] = problems.rules;
  if (rule) throw invalid(`Ownership rules, line ${rule.line}: ${rule.message}`, 'rules');
  const [codeowner] = problems.codeowners;
  if (codeowner) throw invalid(`CODEOWNERS, line ${codeowner.line}: ${codeowner.message}`, 'codeowners');
  for (const field of ['stackRoot', 'sourceRoot'] as const) {
    if (next[field].length > ROOT_CHARACTERS_MAX) {
      throw invalid(`A root has at most ${ROOT_CHARACTERS_MAX} characters`, field);
    }
  }
}
