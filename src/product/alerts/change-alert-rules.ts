import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { conflict, invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { AuditAction } from '#product/audit/audit-actions.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { type AlertRuleInput, checkAlertRule } from './check-alert-rule.ts';
import {
  type AlertRuleRow,
  alertRuleNotFound,
  alertTarget,
  findVisibleRule,
  requireAlertWrite,
} from './list-alert-rules.ts';

export const RULES_PER_PROJECT_MAX = 100;
const SNOOZE_MS_MAX = 366 * DAY_MS;

/** Throws Invalid, NotFound, and Conflict when the project has a hundred already. */
export async function createAlertRule(
  ctx: Context,
  input: AlertRuleInput & { projectSlug: string },
): Promise<AlertRuleRow> {
  requireAlertWrite(ctx);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw new Error(`Project ${input.projectSlug} was expected but not loaded`);
  const draft = await checkAlertRule(ctx, project, input);
  const known = await ctx.stores.alertRules.list(ctx.organization.id, [project.id]);
  if (known.length >= RULES_PER_PROJECT_MAX) {
    throw conflict(`A project can have at most ${RULES_PER_PROJECT_MAX} alert rules: delete some first`);
  }
  const rule = await audited(
    ctx,
    async (ctx) => {
      const created = await ctx.stores.alertRules.create(
        ctx.organization.id,
        project.id,
        draft,
        userIdOf(ctx),
        ctx.now(),
      );
      if (!created) throw conflict('The project was deleted in the meantime: reload the page');
      return created;
    },
    (created) => ({
      action: 'rule.create',
      target: alertTarget(created),
      data: { project: project.slug, kind: created.definition.kind },
    }),
  );
  return { rule: { ...rule, lastFiredAt: null }, project };
}

/** What it fired stays, and so may receivers that are gone. Throws Invalid and NotFound. */
export async function updateAlertRule(
  ctx: Context,
  ruleId: number,
  input: AlertRuleInput,
): Promise<AlertRuleRow> {
  requireAlertWrite(ctx);
  const { rule, project } = await findVisibleRule(ctx, ruleId);
  const draft = await checkAlertRule(ctx, project, input, rule);
  if (draft.definition.kind !== rule.definition.kind) {
    throw invalid(
      'An issue alert rule cannot be changed to a metric alert rule, or the reverse: create a new rule',
      'definition',
    );
  }
  return await change(ctx, { rule, project }, 'rule.edit', () =>
    ctx.stores.alertRules.update(ctx.organization.id, ruleId, draft, ctx.now()),
  );
}

/** A rule that is disabled looks at nothing, and pagers close the incident of its metric. Throws NotFound. */
export async function setAlertRuleEnabled(
  ctx: Context,
  ruleId: number,
  isEnabled: boolean,
): Promise<AlertRuleRow> {
  requireAlertWrite(ctx);
  const row = await findVisibleRule(ctx, ruleId);
  if (row.rule.isEnabled === isEnabled) return row;
  return await change(ctx, row, isEnabled ? 'rule.enable' : 'rule.disable', () =>
    ctx.stores.alertRules.setEnabled(ctx.organization.id, ruleId, isEnabled, ctx.now()),
  );
}

/**
 * Until a time (milliseconds since the epoch), Infinity until somebody unsnoozes it; null unsnoozes it. Throws Invalid for a time
 * that is over or more than a year away, and NotFound.
 */
export async function snoozeAlertRule(
  ctx: Context,
  ruleId: number,
  untilMs: number | null,
): Promise<AlertRuleRow> {
  requireAlertWrite(ctx);
  const row = await findVisibleRule(ctx, ruleId);
  const aheadMs = (untilMs ?? Number.POSITIVE_INFINITY) - ctx.now();
  const isTime = aheadMs === Number.POSITIVE_INFINITY || (aheadMs > 0 && aheadMs <= SNOOZE_MS_MAX);
  if (!isTime) {
    throw invalid('Snooze a rule until a time within the next year, or until you unsnooze it', 'until');
  }
  return await change(ctx, row, untilMs === null ? 'rule.wake' : 'rule.snooze', () =>
    ctx.stores.alertRules.snooze(ctx.organization.id, ruleId, untilMs, userIdOf(ctx), ctx.now()),
  );
}

/** With the history of its firings; pagers close the incident of its metric. Throws NotFound. */
export async function deleteAlertRule(ctx: Context, ruleId: number): Promise<void> {
  requireAlertWrite(ctx);
  const { rule, project } = await findVisibleRule(ctx, ruleId);
  await audited(
    ctx,
    (ctx) => ctx.stores.alertRules.remove(ctx.organization.id, ruleId, ctx.now()),
    (isRemoved) =>
      isRemoved
        ? { action: 'rule.remove', target: alertTarget(rule), data: { project: project.slug } }
        : null,
  );
}

async function change(
  ctx: Context,
  { rule, project }: AlertRuleRow,
  action: AuditAction,
  write: () => Promise<AlertRule | null>,
): Promise<AlertRuleRow> {
  const changed = await audited(
    ctx,
    async (ctx) => {
      const written = await write();
      if (!written) throw alertRuleNotFound(ctx, rule.id);
      return written;
    },
    (written) => ({ action, target: alertTarget(written), data: { project: project.slug } }),
  );
  return { rule: { ...changed, lastFiredAt: rule.lastFiredAt }, project };
}
