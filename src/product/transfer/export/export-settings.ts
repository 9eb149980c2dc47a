import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { DASHBOARDS_MAX } from '#product/dashboards/dashboards.ts';
import { UPTIME_MONITORS_MAX } from '#product/uptime/uptime-monitors.ts';
import type { AlertRuleRecord } from '../alert-records.ts';
import type { TransferOwner } from '../record-parts.ts';
import type { RecordOf, TransferRecord } from '../records.ts';
import { type ExportScope, timeOf } from './export-scope.ts';

/** What watches and shows the events. */
export async function* exportSettings(scope: ExportScope): AsyncGenerator<TransferRecord> {
  const { kinds } = scope.options;
  if (kinds.has('alert_rule')) yield* exportAlertRules(scope);
  if (kinds.has('saved_search')) yield* exportSearches(scope);
  if (kinds.has('monitor')) yield* exportMonitors(scope);
  if (kinds.has('uptime_monitor')) yield* exportUptimeMonitors(scope);
  if (kinds.has('dashboard')) yield* exportDashboards(scope);
}

async function* exportAlertRules(scope: ExportScope): AsyncGenerator<AlertRuleRecord> {
  const { ctx, projects, emails } = scope;
  const destinations = await ctx.stores.destinations.list(ctx.organization.id);
  const receiverOf = (receiver: AlertReceiver): AlertRuleRecord['definition']['receivers'] => {
    if (receiver.kind === 'owners') return [receiver];
    if (receiver.kind !== 'destination') return ownersOf(scope, receiver);
    const found = destinations.find(({ id }) => id === receiver.destinationId);
    return found ? [{ kind: 'destination', service: found.kind, name: found.name }] : [];
  };
  for (const { id } of projects) {
    for (const rule of await ctx.stores.alertRules.list(ctx.organization.id, [id])) {
      const { definition, snoozedUntil, createdBy } = rule;
      const receivers = definition.receivers.flatMap(receiverOf);
      yield {
        kind: 'alert_rule',
        id: String(rule.id),
        project: String(id),
        name: rule.name,
        environment: rule.environment,
        owner: rule.owner && (ownersOf(scope, rule.owner)[0] ?? null),
        definition:
          definition.kind === 'metric'
            ? { ...definition, receivers }
            : { ...definition, filters: filtersOf(scope, definition.filters), receivers },
        isEnabled: rule.isEnabled,
        snoozedUntil:
          snoozedUntil === null ? null : snoozedUntil === Infinity ? 'forever' : timeOf(snoozedUntil),
        createdBy: (createdBy && emails.get(createdBy.id)) ?? null,
      };
    }
  }
}

type IssueFilters = Extract<AlertRuleRecord['definition'], { kind: 'issue' }>['filters'];
type DomainFilters = Extract<
  Awaited<ReturnType<ExportScope['ctx']['stores']['alertRules']['list']>>[number]['definition'],
  { kind: 'issue' }
>['filters'];

/** One that names somebody who is gone asks for nobody's issues: it is left out. */
const filtersOf = (scope: ExportScope, filters: DomainFilters): IssueFilters =>
  filters.flatMap((filter): IssueFilters => {
    if (filter.kind !== 'assigned') return [filter];
    if (filter.to.kind === 'nobody') return [{ kind: 'assigned', to: { kind: 'nobody' } }];
    return ownersOf(scope, filter.to).map((to) => ({ kind: 'assigned', to }));
  });

/** Empty for who is gone. */
function ownersOf(
  { emails }: ExportScope,
  owner: { kind: 'user'; userId: string } | { kind: 'team'; teamId: number },
): TransferOwner[] {
  if (owner.kind === 'team') return [{ kind: 'team', team: String(owner.teamId) }];
  const email = emails.get(owner.userId);
  return email === undefined ? [] : [{ kind: 'user', email }];
}

async function* exportSearches({ ctx }: ExportScope): AsyncGenerator<RecordOf<'saved_search'>> {
  for (const search of await ctx.stores.exports.listSearches(ctx.organization.id)) {
    const { id, name, query, sort, email, isShared, dataset, question } = search;
    yield {
      kind: 'saved_search',
      id: String(id),
      name,
      query,
      sort: sort as RecordOf<'saved_search'>['sort'],
      owner: email,
      isShared,
      dataset: dataset as RecordOf<'saved_search'>['dataset'],
      question,
    };
  }
}

async function* exportMonitors(scope: ExportScope): AsyncGenerator<RecordOf<'monitor'>> {
  const { ctx, projects } = scope;
  for (const monitor of await ctx.stores.exports.listMonitors(
    ctx.organization.id,
    projects.map(({ id }) => id),
  )) {
    const { id, projectId, ownerUserId, ownerTeamId, ...settings } = monitor;
    const [owner = null] =
      ownerUserId !== null
        ? ownersOf(scope, { kind: 'user', userId: ownerUserId })
        : ownerTeamId !== null
          ? ownersOf(scope, { kind: 'team', teamId: ownerTeamId })
          : [];
    yield { kind: 'monitor', id: String(id), project: String(projectId), owner, ...settings };
  }
}

async function* exportUptimeMonitors(scope: ExportScope): AsyncGenerator<RecordOf<'uptime_monitor'>> {
  const { ctx, projects, emails } = scope;
  const place = { organizationId: ctx.organization.id, projectIds: projects.map(({ id }) => id) };
  const page = { limit: UPTIME_MONITORS_MAX, after: null };
  for (const monitor of await ctx.stores.uptimeMonitors.list(place, page)) {
    const { id, projectId, name, url, intervalSeconds, environment, isEnabled, owner } = monitor;
    const { headerNames, statuses, assertions, maintenance, ...definition } = monitor.definition;
    const email = owner?.kind === 'user' ? emails.get(owner.id) : undefined;
    yield {
      kind: 'uptime_monitor',
      id: String(id),
      project: String(projectId),
      name,
      url,
      intervalSeconds,
      environment,
      owner:
        owner?.kind === 'team'
          ? { kind: 'team', team: owner.id }
          : email === undefined
            ? null
            : { kind: 'user', email },
      isEnabled,
      headerNames: [...headerNames],
      definition: {
        ...definition,
        statuses: [...statuses],
        assertions: [...assertions],
        maintenance: [...maintenance],
      },
    };
  }
}

async function* exportDashboards({ ctx, emails }: ExportScope): AsyncGenerator<RecordOf<'dashboard'>> {
  for (const dashboard of await ctx.stores.dashboards.list(ctx.organization.id, '', DASHBOARDS_MAX)) {
    const { id, title, description, widgets, variables, filters, createdBy } = dashboard;
    yield {
      kind: 'dashboard',
      id: String(id),
      format: 'errata',
      createdBy: (createdBy && emails.get(createdBy.id)) ?? null,
      content: { title, description, widgets, variables, filters },
    };
  }
}

/** Destinations and trackers have secrets: who sets them up again knows from this what there was. */
export async function* exportUnmapped({ ctx }: ExportScope): AsyncGenerator<RecordOf<'unmapped'>> {
  const organizationId = ctx.organization.id;
  const reason = 'It has a secret, which is not exported: set it up again under the same name';
  for (const { id, name } of await ctx.stores.destinations.list(organizationId)) {
    yield { kind: 'unmapped', of: 'destination', id: String(id), name, reason };
  }
  for (const { id, name } of await ctx.stores.trackers.list(organizationId)) {
    yield { kind: 'unmapped', of: 'tracker', id: String(id), name, reason };
  }
}
