import { z } from 'zod';
import { readAction, writeAction } from '#app/api/0/endpoints/alerts/rule-actions.ts';
import { each, idOf, isoMs, isoMsOrNull, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { AlertRule, IssueAlert } from '#domain/alerts/alert-rule.ts';
import { invalid } from '#lib/errors.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import {
  FREQUENCY,
  ISSUE_RULE_QUESTION,
  MATCH,
  type PART,
  PARTS,
} from '#product/alerts/sentry-rules/issue-question.ts';
import { isCount, writeFilter, writeTrigger } from '#product/alerts/sentry-rules/rule-filters.ts';

/** Source of the fields: https://docs.sentry.io/api/alerts/create-an-issue-alert-rule-for-a-project/ */
export const ISSUE_RULE_BODY = ISSUE_RULE_QUESTION.extend({
  name: z.string(),
  actions: PARTS.default([]),
  owner: z.string().max(120).nullish(),
  status: z.enum(['active', 'disabled']).optional(),
});

/** Without defaults: what is not sent stays as it is. */
export const ISSUE_RULE_CHANGE = ISSUE_RULE_BODY.partial().extend({
  actionMatch: MATCH.optional(),
  filterMatch: MATCH.optional(),
  frequency: FREQUENCY.optional(),
  actions: PARTS.optional(),
});

export const readReceivers = (actions: readonly z.infer<typeof PART>[], known: AlertReceivers) =>
  actions.map((action, index) => readAction(action, known, `actions.${index}`));

/** `user:…` or `team:…`, as Sentry writes it. Throws Invalid. */
export function readOwner(owner: string | null | undefined): AlertRule['owner'] {
  if (owner == null || owner === '') return null;
  const [kind, id = ''] = owner.split(':');
  if (kind === 'user' && id !== '') return { kind, userId: id };
  if (kind === 'team' && /^\d{1,15}$/.test(id)) return { kind, teamId: Number(id) };
  throw invalid('"owner": use a format such as user:1 or team:1', 'owner');
}

export const writeOwner = (owner: AlertRule['owner']): string | null =>
  owner && (owner.kind === 'user' ? `user:${owner.userId}` : `team:${owner.teamId}`);

/** A rule with what is known when it is written. */
export type WrittenRule = Omit<AlertRuleRow['rule'], 'metric'> & {
  project: AlertRuleRow['project'];
  known: AlertReceivers;
  nowMs: number;
};

const isSnoozed = ({ snoozedUntil, nowMs }: WrittenRule): boolean =>
  snoozedUntil !== null && snoozedUntil > nowMs;

/** What rules of issues and of metrics have in common. */
export const [, , RULE_FIELDS] = shapeOf<WrittenRule>()({
  id: idOf('id'),
  name: z.string(),
  environment: z.string().nullable(),
  owner: [z.string().nullable(), ({ owner }) => writeOwner(owner)],
  createdBy: [
    NAMED.extend({ email: z.string() }).nullable(),
    ({ createdBy, known }) =>
      createdBy && { ...createdBy, email: known.users.find(({ id }) => id === createdBy.id)?.email ?? '' },
  ],
  projects: [z.array(z.string()), ({ project }) => [project.slug]],
  dateCreated: isoMs('createdAt'),
});

export const [, , SNOOZE_FIELDS] = shapeOf<WrittenRule>()({
  ...each([z.boolean(), isSnoozed], 'snooze', 'snoozeForEveryone'),
  /** null without an end. */
  snoozeUntil: [
    z.string().nullable(),
    (rule) =>
      isSnoozed(rule) && Number.isFinite(rule.snoozedUntil) ? isoOfMsOrNull(rule.snoozedUntil) : null,
  ],
});

/** A condition, filter or action: what it has besides depends on its `id`. */
const RULE_PARTS = z.array(z.looseObject({ id: z.string() }).meta({ id: 'RulePart' }));
const { id, name, environment, owner, createdBy, projects, dateCreated } = RULE_FIELDS;

/** What is only counted with each event is among the conditions, as in Sentry. */
const isCounting = ({ triggers, filters, filterMatch }: IssueAlert): boolean =>
  filters.some(isCount) && triggers.join() === 'event' && filterMatch === 'all';

export const [ISSUE_RULE, writeIssueRule] = shapeOf<WrittenRule & { issue: IssueAlert }>()(
  {
    id,
    name,
    conditions: [
      RULE_PARTS,
      ({ issue }) =>
        isCounting(issue) ? issue.filters.filter(isCount).map(writeFilter) : issue.triggers.map(writeTrigger),
    ],
    filters: [
      RULE_PARTS,
      ({ issue }) =>
        issue.filters.filter((filter) => !isCounting(issue) || !isCount(filter)).map(writeFilter),
    ],
    actions: [
      RULE_PARTS,
      ({ issue, known }) => issue.receivers.map((receiver) => writeAction(receiver, known)),
    ],
    actionMatch: [z.enum(['any', 'all']), ({ issue }) => (isCounting(issue) ? 'all' : 'any')],
    filterMatch: [z.enum(['any', 'all', 'none']), ({ issue }) => issue.filterMatch],
    /** Minutes. */
    frequency: [z.number(), ({ issue }) => issue.frequencyMinutes],
    environment,
    owner,
    createdBy,
    projects,
    status: [z.enum(['active', 'disabled']), ({ isEnabled }) => (isEnabled ? 'active' : 'disabled')],
    dateCreated,
    lastTriggered: isoMsOrNull('lastFiredAt'),
    ...SNOOZE_FIELDS,
  },
  'IssueRule',
);

export const serializeIssueRule = ({ rule, project }: AlertRuleRow, known: AlertReceivers, nowMs: number) =>
  writeIssueRule({ ...rule, project, known, nowMs, issue: rule.definition as IssueAlert });
