import type { Context } from '#product/context.ts';
import { getProject } from '#product/projects/get-project.ts';
import type { ActiveGroupingRules, GroupingRulesVersion } from '#storage/ports/grouping-rules.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';

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
