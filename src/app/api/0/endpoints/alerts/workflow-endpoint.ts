import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, PROJECTS, WORDS } from '#app/api/0/parameters.ts';
import { WORKFLOW } from '#app/api/0/schemas/workflow.ts';
import { isoOfMs } from '#app/api/0/serializers/serialize-moment.ts';
import type { AlertFilter, AlertReceiver, AlertTrigger, IssueAlert } from '#domain/alerts/alert-rule.ts';
import {
  type AlertReceivers,
  type AlertRuleRow,
  listAlertReceivers,
  listAlertRules,
} from '#product/alerts/list-alert-rules.ts';
import { type OrganizationParams, readProjects } from '../organization-endpoints.ts';
import { serializeCreator, writeOwner } from './issue-rule-shape.ts';

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

const LIST_WORKFLOWS = {
  summary: 'Lists alert rules in the shape of workflows',
  scopes: ['alerts:read', 'project:read'],
  query: {
    ...CURSOR,
    ...PROJECTS,
    id: z.array(z.string()).describe('Numbers of rules'),
    ...WORDS,
  },
  answer: z.array(WORKFLOW),
  isPaged: true,
} satisfies Operation;

/** Rules of issues as workflows: of the projects, with the ids or the name that are looked for. */
export const listWorkflowsEndpoint = declare<OrganizationParams>(
  LIST_WORKFLOWS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const [rows, known] = await Promise.all([
      listAlertRules(ctx, { projectSlugs: await readProjects(url, ctx) }),
      listAlertReceivers(ctx),
    ]);
    const ids = url.searchParams.getAll('id').filter((id) => id !== '');
    const name = (url.searchParams.get('query') ?? '').trim().toLowerCase();
    const asked = rows.filter(
      ({ rule }) =>
        rule.definition.kind === 'issue' &&
        (ids.length === 0 || ids.includes(String(rule.id))) &&
        rule.name.toLowerCase().includes(name),
    );
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: asked.map((row) => serializeWorkflow(row, known)),
      nextCursor: null,
    }));
  },
);

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
    createdBy: serializeCreator(rule, known)?.id ?? null,
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
