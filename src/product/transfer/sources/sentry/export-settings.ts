import type { TransferRecord } from '../../records.ts';
import { numberOf, parsedOf, textOf } from '../foreign-values.ts';
import { objectOf } from '../json-values.ts';
import { unmapped } from '../unmapped.ts';
import type { SentryExport } from './export-file.ts';
import type { ExportOrganization } from './export-organization.ts';
import { monitorRecord } from './monitor-records.ts';
import { issueRuleRecords, metricRuleRecords } from './rule-records.ts';
import { savedSearchRecord } from './saved-searches.ts';

const MINUTE_SECONDS = 60;
/** What a metric rule was before it was edited, kept for its incidents. */
const SNAPSHOT = 4;
/** Rows of monitors that are deleted. */
const DELETED: ReadonlySet<number> = new Set([2, 3]);
const ISSUE_SEARCH = 0;

export function* environmentRecords(
  data: SentryExport,
  { ofProjects }: ExportOrganization,
): Generator<TransferRecord> {
  const names = namesOfEnvironments(data);
  for (const { fields } of ofProjects('environmentproject', 'project')) {
    const name = textOf(names.get(String(fields.environment)));
    if (name !== null) yield { kind: 'environment', project: String(fields.project), name, firstSeen: null };
  }
}

const namesOfEnvironments = (data: SentryExport) =>
  new Map(data.rows('environment').map(({ pk, fields }) => [pk, fields.name]));

/** Rules of issues keep what they ask for as JSON in a text; rules of metrics are spread over five models. */
export function* ruleRecords(
  data: SentryExport,
  organization: ExportOrganization,
): Generator<TransferRecord> {
  const { ofProjects, ofOrganization, people } = organization;
  const environments = namesOfEnvironments(data);
  for (const { pk, fields } of ofProjects('rule', 'project')) {
    const parts = objectOf(parsedOf(fields.data)) ?? {};
    const conditions = Array.isArray(parts.conditions) ? parts.conditions : [];
    const rule = {
      id: pk,
      name: fields.label,
      // Filters are among the conditions.
      conditions: conditions.filter((part) => !isFilter(part)),
      filters: conditions.filter(isFilter),
      actions: parts.actions,
      actionMatch: parts.action_match ?? 'any',
      filterMatch: parts.filter_match ?? 'all',
      frequency: parts.frequency ?? undefined,
      environment: environments.get(String(fields.environment_id)) ?? null,
      owner: ownerText(fields),
      status: fields.status,
    };
    yield* issueRuleRecords(rule, String(fields.project), people);
  }
  const queries = new Map(data.rows('snubaquery').map((row) => [row.pk, row.fields]));
  const subscriptions = Map.groupBy(ofProjects('querysubscription', 'project'), ({ fields }) =>
    String(fields.snuba_query),
  );
  const triggers = Map.groupBy(data.rows('alertruletrigger'), ({ fields }) => String(fields.alert_rule));
  const actions = Map.groupBy(data.rows('alertruletriggeraction'), ({ fields }) =>
    String(fields.alert_rule_trigger),
  );
  for (const { pk, fields } of ofOrganization('alertrule', 'organization')) {
    const query = queries.get(String(fields.snuba_query));
    if (!query || numberOf(fields.status) === SNAPSHOT) continue;
    const rule = {
      id: pk,
      name: fields.name,
      aggregate: query.aggregate,
      dataset: query.dataset,
      query: query.query,
      timeWindow: numberOf(query.time_window) / MINUTE_SECONDS,
      thresholdType: numberOf(fields.threshold_type),
      resolveThreshold: fields.resolve_threshold,
      comparisonDelta:
        fields.comparison_delta == null ? null : numberOf(fields.comparison_delta) / MINUTE_SECONDS,
      environment: environments.get(String(query.environment)) ?? null,
      owner: ownerText(fields),
      status: fields.status,
      triggers: (triggers.get(pk) ?? []).map((trigger) => ({
        label: trigger.fields.label,
        alertThreshold: trigger.fields.alert_threshold,
        actions: (actions.get(trigger.pk) ?? []).map((action) => ({
          type: ACTION_TYPES[numberOf(action.fields.type)] ?? '',
          targetType: TARGET_TYPES[numberOf(action.fields.target_type)],
          targetIdentifier: action.fields.target_display ?? action.fields.target_identifier,
        })),
      })),
    };
    const projects = (subscriptions.get(String(fields.snuba_query)) ?? []).map((each) =>
      String(each.fields.project),
    );
    yield* metricRuleRecords(rule, [...new Set(projects)], people);
  }
}

const isFilter = (part: unknown): boolean => String(objectOf(part)?.id).startsWith('sentry.rules.filters.');

/** By the numbers of the export; mail goes to users and teams by their IDs. */
const ACTION_TYPES = [
  'email',
  'pagerduty',
  'slack',
  'msteams',
  'sentry_app',
  'sentry_notification',
  'opsgenie',
  'discord',
];
const TARGET_TYPES = ['specific', 'user', 'team'];

function ownerText(fields: Readonly<Record<string, unknown>>): string | null {
  if (fields.owner_user_id != null) return `user:${fields.owner_user_id}`;
  return fields.owner_team_id == null ? null : `team:${fields.owner_team_id}`;
}

export function* savedSearchRecords({
  ofOrganization,
  people,
}: ExportOrganization): Generator<TransferRecord> {
  for (const { pk, fields } of ofOrganization('savedsearch', 'organization')) {
    if (numberOf(fields.type) !== ISSUE_SEARCH) continue;
    yield savedSearchRecord({ ...fields, id: pk }, people.emailOf(String(fields.owner_id)));
  }
}

export function* monitorRecords({ ofProjects, people }: ExportOrganization): Generator<TransferRecord> {
  for (const { pk, fields } of ofProjects('monitor', 'project_id')) {
    if (DELETED.has(numberOf(fields.status))) continue;
    const its = { id: pk, project: String(fields.project_id), owner: ownerText(fields) };
    yield monitorRecord(fields, its, people);
  }
}

/** Models whose loss somebody may notice, each with what to do instead. */
const NOT_READ: Readonly<Record<string, string>> = {
  'sentry.dashboard': 'Import dashboards from the API, or paste what the API answers for each',
  'sentry.apitoken': 'Tokens are secrets: create new ones',
  'sentry.orgauthtoken': 'Tokens are secrets: create new ones',
  'sentry.authprovider': 'Set single sign-on up again',
  'sentry.sentryapp': 'Integrations of your own are not there here: use webhooks and the API',
  'sentry.notificationaction': 'Notifications of the organization are not there here',
  'uptime.uptimesubscription': 'Import uptime monitors from the API',
  'workflow_engine.workflow': 'Only alert rules are read, which Sentry keeps beside its workflows',
};

export function* unmappedRecords(
  data: SentryExport,
  { ofOrganization }: ExportOrganization,
): Generator<TransferRecord> {
  const counts = new Map(data.others);
  counts.set('sentry.dashboard', ofOrganization('dashboard', 'organization').length);
  for (const [model, reason] of Object.entries(NOT_READ)) {
    const count = counts.get(model) ?? 0;
    if (count > 0) yield unmapped(model.replace(/^.*\./, ''), model, `${count} of ${model}`, reason);
  }
  const reason = 'An export holds no issues, events and releases: import them from the API with a token';
  yield unmapped('issue', 'issues', 'Issues and events', reason);
}
