import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { type AlertRuleRow, findVisibleRule, requireAlertRead } from './alert-rights.ts';

/** Of the projects, of every visible one for none, by name. Throws NotFound for a project that is not visible. */
export async function listAlertRules(
  ctx: Context,
  { projectSlugs }: { projectSlugs: readonly string[] },
): Promise<readonly AlertRuleRow[]> {
  requireAlertRead(ctx);
  const projects = await selectProjects(ctx, projectSlugs);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const rules = await ctx.stores.alertRules.list(ctx.organization.id, [...byId.keys()]);
  return rules.flatMap((rule) => {
    const project = byId.get(rule.projectId);
    return project ? { rule, project } : [];
  });
}

/** Throws NotFound. */
export async function getAlertRule(ctx: Context, ruleId: number): Promise<AlertRuleRow> {
  requireAlertRead(ctx);
  return await findVisibleRule(ctx, ruleId);
}
