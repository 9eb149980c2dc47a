import type { AlertDefinition, AlertFilter, AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { invalid } from '#lib/errors.ts';
import { createAlertRule, setAlertRuleEnabled, snoozeAlertRule } from '#product/alerts/change-alert-rules.ts';
import type { Context } from '#product/context.ts';
import type { AlertRuleRecord } from '../alert-records.ts';
import { requireProject } from './import-projects.ts';
import { note } from './import-report.ts';
import { type ImportState, ownerOf, userOf } from './import-state.ts';
import type { RecordImporter } from './record-importer.ts';

export const alertRuleImporter: RecordImporter<'alert_rule'> = {
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  async find(ctx, state, { project, name }) {
    const { id } = requireProject(state, project);
    const rules = await ctx.stores.alertRules.list(ctx.organization.id, [id]);
    const found = rules.find((rule) => rule.name === name.trim());
    return found ? String(found.id) : null;
  },
  async create(ctx, state, record) {
    const { name, environment, owner, isEnabled } = record;
    const { rule } = await createAlertRule(ctx, {
      projectSlug: requireProject(state, record.project).slug,
      name,
      environment,
      owner: ownerOf(state, owner),
      definition: toDefinition(state, record),
    });
    if (!isEnabled) await setAlertRuleEnabled(ctx, rule.id, false);
    await snooze(ctx, rule.id, record);
    const creatorId = userOf(state, record.createdBy);
    if (creatorId)
      await ctx.stores.transfers.setCreator(ctx.organization.id, 'alert_rules', rule.id, creatorId);
    return String(rule.id);
  },
};

async function snooze(ctx: Context, ruleId: number, { snoozedUntil }: AlertRuleRecord): Promise<void> {
  if (snoozedUntil === null) return;
  const untilMs = snoozedUntil === 'forever' ? Infinity : Date.parse(snoozedUntil);
  if (untilMs > ctx.now()) await snoozeAlertRule(ctx, ruleId, untilMs);
}

/** Receivers that are not here are left out. Throws Invalid when none is left, and for a filter by somebody who is not here. */
function toDefinition(state: ImportState, record: AlertRuleRecord): AlertDefinition {
  const { definition } = record;
  const receivers = definition.receivers.flatMap((receiver): AlertReceiver[] => {
    if (receiver.kind === 'owners') return [receiver];
    const found = receiver.kind === 'destination' ? destinationOf(state, receiver) : ownerOf(state, receiver);
    if (found) return [found];
    const what = receiver.kind === 'destination' ? `destination ${receiver.name}` : nameOfOwner(receiver);
    note(state.report, {
      kind: 'alert_rule',
      id: record.id,
      name: record.name,
      result: 'unmapped',
      reason: `It does not notify the ${what}, which is not here`,
    });
    return [];
  });
  if (receivers.length === 0) {
    throw invalid(
      'None of its receivers is here: set up the destination under the same name, then import again',
      'receivers',
    );
  }
  if (definition.kind === 'metric') return { ...definition, receivers };
  const filters = definition.filters.map((filter): AlertFilter => {
    if (filter.kind !== 'assigned') return filter;
    if (filter.to.kind === 'nobody') return { kind: 'assigned', to: { kind: 'nobody' } };
    const to = ownerOf(state, filter.to);
    if (to) return { kind: 'assigned', to };
    throw invalid(`It asks whether an issue is assigned to the ${nameOfOwner(filter.to)}, which is not here`);
  });
  return { ...definition, filters, receivers };
}

const nameOfOwner = (owner: { kind: 'user'; email: string } | { kind: 'team'; team: string }): string =>
  owner.kind === 'user' ? `person ${owner.email}` : `team ${owner.team}`;

function destinationOf(
  state: ImportState,
  { service, name }: { service: string; name: string },
): AlertReceiver | null {
  const destinationId = state.destinations.get(`${service} ${name}`.toLowerCase());
  return destinationId === undefined ? null : { kind: 'destination', destinationId };
}
