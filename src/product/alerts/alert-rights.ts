import { notFound } from '#lib/errors.ts';
import type { AuditedChange } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireOneOf } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { AlertRule } from '#storage/ports/alert-rules.ts';
import type { ListedAlertRule } from '#storage/ports/alerts.ts';
import type { Project } from '#storage/ports/projects.ts';

export type AlertRuleRow = { rule: ListedAlertRule; project: Project };

/** Either scope is enough, as in Sentry. Throws Forbidden. */
export const requireAlertRead = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['alerts:read', 'project:read']);

export const requireAlertWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['alerts:write', 'project:write']);

/** Whether to offer what changes rules; the verbs decide. */
export const canChangeAlerts = ({ actor }: Pick<Context, 'actor'>): boolean =>
  hasRight(actor, 'alerts:write') || hasRight(actor, 'project:write');

/** Throws NotFound, also for a rule of a project that is not visible. */
export async function findVisibleRule(ctx: Context, ruleId: number): Promise<AlertRuleRow> {
  const [rule, projects] = await Promise.all([
    ctx.stores.alertRules.find(ctx.organization.id, ruleId),
    listVisibleProjects(ctx),
  ]);
  const project = projects.find(({ id }) => id === rule?.projectId);
  if (rule && project) return { rule, project };
  throw alertRuleNotFound(ctx, ruleId);
}

export const alertRuleNotFound = (ctx: Pick<Context, 'organization'>, ruleId: number | string) =>
  notFound(
    `The organization ${ctx.organization.slug} has no alert rule ${String(ruleId).slice(0, 40)}: it was deleted, reload the list`,
  );

/** The rule as what was changed. */
export const alertTarget = ({ id, name }: Pick<AlertRule, 'id' | 'name'>): AuditedChange['target'] => ({
  kind: 'alert_rule',
  id,
  name,
});
