import { invalid } from '#lib/errors.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { RuleProblem } from '#pipeline/grouping/rule-text/rule-reader.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/visible-projects.ts';
import type {
  ActiveGroupingRules,
  GroupingChange,
  GroupingRulesVersion,
  GroupingRuleTexts,
  NewGroupingRules,
} from './grouping-change.ts';

const VERSIONS_SHOWN = 50;
const CHANGES_SHOWN = 20;

export type GroupingSettings = {
  active: ActiveGroupingRules;
  /** Newest first. */
  versions: readonly GroupingRulesVersion[];
  /** Rules that were applied to history, newest first. */
  regroups: readonly GroupingChange[];
};

/** The rules of a project, their versions, and what was applied to its stored events. Throws NotFound. */
export async function getGroupingRules(ctx: Context, projectSlug: string): Promise<GroupingSettings> {
  const project = await getProject(ctx, projectSlug);
  const { groupingRules, regroups } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [active, versions, changes] = await Promise.all([
    groupingRules.findActive(organizationId, project.id),
    groupingRules.listVersions(organizationId, project.id, VERSIONS_SHOWN),
    regroups.listChanges(organizationId, project.id, 'regroup', CHANGES_SHOWN),
  ]);
  return { active, versions, regroups: changes };
}

/** Characters of each of the two texts. */
export const RULES_CHARACTERS_MAX = 100_000;

export type { RuleProblem };

export type RuleProblems = {
  fingerprint: readonly RuleProblem[];
  stackTrace: readonly RuleProblem[];
};

/** Line ends as they are stored, and what is wrong with which line. */
export function checkGroupingRules(texts: GroupingRuleTexts): {
  texts: GroupingRuleTexts;
  rules: GroupingRules;
  problems: RuleProblems;
} {
  const clean = { fingerprint: tidy(texts.fingerprint), stackTrace: tidy(texts.stackTrace) };
  for (const text of Object.values(clean)) {
    if (text.length > RULES_CHARACTERS_MAX) {
      throw invalid(`Rules can have at most ${RULES_CHARACTERS_MAX} characters: shorten them`, 'rules');
    }
  }
  return { texts: clean, ...compileGroupingRules(clean) };
}

/** As `checkGroupingRules`. Throws Invalid naming the first line that cannot be read. */
export function requireGroupingRules(texts: GroupingRuleTexts): {
  texts: GroupingRuleTexts;
  rules: GroupingRules;
} {
  const checked = checkGroupingRules(texts);
  for (const [name, problems] of [
    ['Fingerprint rules', checked.problems.fingerprint],
    ['Stack trace rules', checked.problems.stackTrace],
  ] as const) {
    const [first] = problems;
    if (first) throw invalid(`${name}, line ${first.line}: ${first.message}`, 'rules');
  }
  return checked;
}

const tidy = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

export type ApplyRules = {
  projectSlug: string;
  /** `new` for events from now on; `history` for stored ones as well, as a job. */
  to: 'new' | 'history';
  /** The version that was edited. */
  basedOn: number;
  /** Texts that were edited, or a former version whose texts count again. */
  rules: GroupingRuleTexts | { restore: number };
};

/** Saves the rules. Returns the regroup job, null for new events only. Throws Invalid naming the line, Conflict. */
export async function applyGroupingRules(ctx: Context, input: ApplyRules): Promise<GroupingChange | null> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const organizationId = ctx.organization.id;
  const texts = await findTexts();
  const rules: NewGroupingRules = {
    ...requireGroupingRules(texts).texts,
    authorUserId: userIdOf(ctx),
    restoredFrom: 'restore' in input.rules ? input.rules.restore : null,
    basedOn: input.basedOn,
  };
  return audited(
    ctx,
    async (ctx) => {
      if (input.to === 'history')
        return ctx.stores.regroups.begin(organizationId, project.id, rules, ctx.now());
      await ctx.stores.groupingRules.activate(organizationId, project.id, rules, ctx.now());
      return null;
    },
    () => ({
      action: 'project.grouping.edit',
      target: projectTarget(project),
      data: { to: input.to, basedOn: input.basedOn, restored: rules.restoredFrom },
    }),
  );

  async function findTexts(): Promise<GroupingRuleTexts> {
    if (!('restore' in input.rules)) return input.rules;
    if (input.rules.restore === 0) return { fingerprint: '', stackTrace: '' };
    const version = await ctx.stores.groupingRules.findVersion(
      organizationId,
      project.id,
      input.rules.restore,
    );
    if (!version) throw invalid(`Rules version ${input.rules.restore} does not exist`, 'restore');
    return version;
  }
}
