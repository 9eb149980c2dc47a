import { invalid } from '#lib/errors.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import type { GroupingRuleTexts, NewGroupingRules } from '#storage/ports/grouping-rules.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';
import { actorId } from './actor-id.ts';
import { requireGroupingRules } from './check-grouping-rules.ts';

export type ApplyRules = {
  projectSlug: string;
  /** `new` for events from now on; `history` for stored ones as well, as a job. */
  to: 'new' | 'history';
  /** The version that was edited. */
  basedOn: number;
  /** Texts that were edited, or a former version whose texts count again. */
  rules: GroupingRuleTexts | { restore: number };
};

/**
 * Saves a version of a project's rules. Answers the job for history, null for new events only. Throws Invalid naming the
 * line that cannot be read, Conflict when somebody else saved meanwhile or stored events are being regrouped.
 */
export async function applyGroupingRules(ctx: Context, input: ApplyRules): Promise<GroupingChange | null> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const organizationId = ctx.organization.id;
  const texts = await findTexts();
  const rules: NewGroupingRules = {
    ...requireGroupingRules(texts).texts,
    authorUserId: actorId(ctx),
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
    if (!version) throw invalid(`There is no version ${input.rules.restore} of the rules`, 'restore');
    return version;
  }
}
