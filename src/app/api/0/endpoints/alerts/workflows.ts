import { z } from 'zod';
import { writeOwner } from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, PROJECTS, texts, WORDS } from '#app/api/0/query.ts';
import { each } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { AlertFilter, AlertReceiver, AlertTrigger, IssueAlert } from '#domain/alerts/alert-rule.ts';
import {
  type AlertReceivers,
  type AlertRuleRow,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';

const CONDITION = z.object({
  id: z.string(),
  type: z.string(),
  comparison: z.unknown(),
  conditionResult: z.boolean(),
});

const ACTION = z.object({
  id: z.string(),
  /** `email`, or the kind of a destination. */
  type: z.string(),
  integrationId: z.string().nullable(),
  config: z.object({
    targetType: z.string(),
    targetIdentifier: z.string().nullable(),
    targetDisplay: z.string().nullable(),
  }),
  status: z.string(),
  data: z.object({}),
});

const CONDITIONS = z.object({
  ...each(z.string(), 'id', 'organizationId', 'logicType'),
  conditions: z.array(CONDITION),
  actions: z.array(ACTION),
});

export const WORKFLOW = z
  .object({
    ...each(z.string(), 'id', 'name', 'organizationId'),
    enabled: z.boolean(),
    environment: z.string().nullable(),
    owner: z.string().nullable(),
    projects: z.array(z.string()),
    config: z.object({ frequency: z.number() }),
    triggers: CONDITIONS,
    actionFilters: z.array(CONDITIONS),
    detectorIds: z.array(z.unknown()),
    dateCreated: z.string(),
    dateUpdated: z.string(),
    lastTriggered: z.string().nullable(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Workflow' });

/** How Sentry's workflows call what rules ask. Source: the models of src/sentry/workflow_engine of getsentry/sentry */
const TRIGGER_TYPES: Readonly<Record<AlertTrigger, string>> = {
  first_seen: 'first_seen_event',
  regression: 'regression_event',
  escalation: 'reappeared_event',
  event: 'every_event',
};

const FILTER_TYPES: Readonly<Record<AlertFilter['kind'], string>> = {
  level: 'level',
  tag: 'tagged_event',
  attribute: 'event_attribute',
  latest_release: 'latest_release',
  age: 'age_comparison',
  times_seen: 'issue_occurrences',
  assigned: 'assigned_to',
  category: 'issue_category',
  priority: 'issue_priority_greater_or_equal',
  event_count: 'event_frequency_count',
  user_count: 'event_unique_user_frequency_count',
};

export const workflowOperations: readonly Operation[] = [
  /** Rules of issues as workflows: of the projects, with the ids or the name that are looked for. */
  get('organizations/[org]/workflows', {
    summary: 'Lists alert rules in the workflow format',
    scopes: ['alerts:read', 'project:read'],
    query: {
      ...CURSOR,
      ...PROJECTS,
      id: texts('Rule IDs'),
      ...WORDS,
    },
    answer: z.array(WORKFLOW),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const [rows, known] = await Promise.all([
        listAlertRules(ctx, { projectSlugs: query.projectSlugs }),
        listAlertReceivers(ctx),
      ]);
      const ids = query.id.filter((id) => id !== '');
      const name = query.search.trim().toLowerCase();
      const requested = rows.filter(
        ({ rule }) =>
          rule.definition.kind === 'issue' &&
          (ids.length === 0 || ids.includes(String(rule.id))) &&
          rule.name.toLowerCase().includes(name),
      );
      return page(async () => requested.map((row) => serializeWorkflow(row, known)));
    },
  }),
];

function serializeWorkflow({ rule, project }: AlertRuleRow, known: AlertReceivers) {
  const { triggers, filters, filterMatch, frequencyMinutes, receivers } = rule.definition as IssueAlert;
  const organizationId = String(rule.organizationId);
  const condition = (type: string, index: number, comparison: unknown) => ({
    id: `${rule.id}-${type}-${index}`,
    type,
    comparison,
    conditionResult: true,
  });
  return {
    id: String(rule.id),
    name: rule.name,
    organizationId,
    enabled: rule.isEnabled,
    environment: rule.environment,
    owner: writeOwner(rule.owner),
    projects: [project.slug],
    config: { frequency: frequencyMinutes },
    triggers: {
      id: `${rule.id}-triggers`,
      organizationId,
      logicType: 'any-short',
      conditions: triggers.map((trigger, index) => condition(TRIGGER_TYPES[trigger], index, true)),
      actions: [],
    },
    actionFilters: [
      {
        id: `${rule.id}-filters`,
        organizationId,
        logicType: filterMatch === 'any' ? 'any-short' : filterMatch,
        conditions: filters.map(({ kind, ...comparison }, index) =>
          condition(FILTER_TYPES[kind], index, comparison),
        ),
        actions: receivers.map((receiver, index) => ({
          id: `${rule.id}-action-${index}`,
          status: 'active',
          data: {},
          ...serializeAction(receiver, known),
        })),
      },
    ],
    detectorIds: [],
    dateCreated: isoOfMs(rule.createdAt),
    dateUpdated: isoOfMs(rule.updatedAt),
    lastTriggered: rule.lastFiredAt === null ? null : isoOfMs(rule.lastFiredAt),
    createdBy: rule.createdBy?.id ?? null,
  };
}

function serializeAction(receiver: AlertReceiver, known: AlertReceivers) {
  const mail = (targetType: string, targetIdentifier: string | null) => ({
    type: 'email',
    integrationId: null,
    config: { targetType, targetIdentifier, targetDisplay: null },
  });
  switch (receiver.kind) {
    case 'owners':
      return mail('issue_owners', null);
    case 'user':
      return mail('user', receiver.userId);
    case 'team':
      return mail('team', String(receiver.teamId));
    case 'destination': {
      const place = known.destinations.find(({ id }) => id === receiver.destinationId);
      const id = String(receiver.destinationId);
      return {
        type: place?.kind ?? 'webhook',
        integrationId: id,
        config: { targetType: 'specific', targetIdentifier: id, targetDisplay: place?.name ?? null },
      };
    }
  }
}
