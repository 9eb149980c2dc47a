import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { AuditedChange } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';
import { hasRight, requireOneOf } from '#product/permissions.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { ListedAlertRule } from './alert-outbox.ts';

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

/** Whom rules of the organization can notify, by name. */
export type AlertReceivers = {
  users: readonly { id: string; name: string; email: string }[];
  teams: readonly { id: number; slug: string; name: string }[];
  destinations: readonly { id: number; kind: DestinationKind; name: string }[];
};

export async function listAlertReceivers(ctx: Context): Promise<AlertReceivers> {
  requireAlertRead(ctx);
  const { accounts, teams, destinations } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [members, named, places] = await Promise.all([
    accounts.listMembers(organizationId),
    teams.list(organizationId),
    destinations.list(organizationId),
  ]);
  return {
    users: members.map(({ id, name, email }) => ({ id, name, email })),
    teams: named.map(({ id, slug, name }) => ({ id, slug, name })),
    destinations: places.map(({ id, kind, name }) => ({ id, kind, name })),
  };
}

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
    `Organization ${ctx.organization.slug} has no alert rule ${String(ruleId).slice(0, 40)}: it may have been deleted, reload the list`,
  );

/** The rule as what was changed. */
export const alertTarget = ({ id, name }: Pick<AlertRule, 'id' | 'name'>): AuditedChange['target'] => ({
  kind: 'alert_rule',
  id,
  name,
});
