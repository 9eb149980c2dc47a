import { invalid } from '#lib/errors.ts';
import { parseCodeowners } from '#pipeline/ownership/parse-codeowners.ts';
import {
  OWNERSHIP_TEXT_CHARACTERS_MAX,
  type OwnershipProblem,
  type ParsedOwnership,
  parseOwnershipRules,
} from '#pipeline/ownership/parse-ownership-rules.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject, projectNotFound } from '#product/visible-projects.ts';
import type { Ownership, StoredOwnership } from './ownership-store.ts';
import { describeReference, loadOwnerDirectory, type OwnerDirectory, resolveOwner } from './resolve-owner.ts';

/** Who owns what of a project. Throws NotFound. */
export async function getOwnership(ctx: Context, projectSlug: string): Promise<StoredOwnership> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, projectSlug);
  const ownership = await ctx.stores.ownership.find(ctx.organization.id, project.id);
  if (!ownership) throw projectNotFound(ctx, projectSlug);
  return ownership;
}

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
      throw invalid(`A root can have at most ${ROOT_CHARACTERS_MAX} characters`, field);
    }
  }
}

export type OwnershipCheck = {
  /** Lines that cannot be read or name nobody: with one of them nothing is saved. */
  rules: readonly OwnershipProblem[];
  /** Lines of a CODEOWNERS file that cannot be read. */
  codeowners: readonly OwnershipProblem[];
  /** Lines of a CODEOWNERS file that name somebody who is not here: they are kept, and the owner is passed over. */
  unknownCodeowners: readonly OwnershipProblem[];
};

/** A text that is too long is not read any further. */
export function checkOwnership(
  texts: { rules: string; codeowners: string },
  directory: OwnerDirectory,
): OwnershipCheck {
  const rules = isTooLong(texts.rules) ? TOO_LONG : parseOwnershipRules(texts.rules);
  const codeowners = isTooLong(texts.codeowners) ? TOO_LONG : parseCodeowners(texts.codeowners);
  return {
    rules: [...rules.problems, ...unknownOwners(rules, directory)].sort((a, b) => a.line - b.line),
    codeowners: codeowners.problems,
    unknownCodeowners: unknownOwners(codeowners, directory),
  };
}

const isTooLong = (text: string): boolean => text.length > OWNERSHIP_TEXT_CHARACTERS_MAX;

const TOO_LONG: ParsedOwnership = {
  rules: [],
  problems: [
    { line: 1, column: 1, message: `The text has more than ${OWNERSHIP_TEXT_CHARACTERS_MAX} characters` },
  ],
};

function unknownOwners({ rules }: ParsedOwnership, directory: OwnerDirectory): readonly OwnershipProblem[] {
  return rules.flatMap(({ line, text, owners }) =>
    owners
      .filter((owner) => resolveOwner(directory, owner) === null)
      .map((owner) => ({
        line,
        column: Math.max(0, text.toLowerCase().indexOf(describeReference(owner))) + 1,
        message:
          owner.kind === 'team'
            ? `There is no team ${describeReference(owner)}: check its slug`
            : `No member is ${describeReference(owner)}: give the address of one`,
      })),
  );
}
