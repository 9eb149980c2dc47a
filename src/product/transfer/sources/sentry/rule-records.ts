import { z } from 'zod';
import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { messageOf } from '#lib/errors.ts';
import { ISSUE_RULE_QUESTION, readQuestion } from '#product/alerts/sentry-rules/issue-question.ts';
import { readMetricQuestion } from '#product/alerts/sentry-rules/metric-question.ts';
import type { AlertRuleRecord } from '../../alert-records.ts';
import type { RecordOf } from '../../records.ts';
import { textOf } from '../foreign-values.ts';
import { type JsonObject, objectsOf } from '../json-values.ts';
import { unmapped } from '../unmapped.ts';
import { ownerOf, type SentryPeople } from './people-of-sentry.ts';
import { metricReceiverOf, type Receiver, receiverOf } from './rule-receivers.ts';

type Filter = Extract<AlertRuleRecord['definition'], { kind: 'issue' }>['filters'][number];
type RuleRecord = AlertRuleRecord | RecordOf<'unmapped'>;

/** A status is a word in the API, and a number in an export; those of metric rules are others. */
const DISABLED: ReadonlySet<unknown> = new Set(['disabled', 1]);
const METRIC_DISABLED: ReadonlySet<unknown> = new Set(['disabled', 4, 5]);

/**
 * An issue rule as Sentry's API answers it, with the ID of the project it belongs to. What means something else here, or nothing, is
 * `unmapped` with the reason: the whole rule, or one of its actions.
 */
export function* issueRuleRecords(
  rule: JsonObject,
  project: string,
  people: SentryPeople,
): Generator<RuleRecord> {
  const id = String(rule.id);
  const name = textOf(rule.name) ?? `Rule ${id}`;
  const receivers: Receiver[] = [];
  for (const [index, action] of objectsOf(rule.actions).entries()) {
    const receiver = receiverOf(action, people);
    if (receiver) receivers.push(receiver);
    else
      yield unmapped(
        'alert_action',
        `${id}/${index}`,
        name,
        `The action ${action.id} does not notify anybody here`,
      );
  }
  try {
    const { filters, ...question } = readQuestion(ISSUE_RULE_QUESTION.parse(rule));
    yield {
      kind: 'alert_rule',
      id,
      project,
      name,
      environment: textOf(rule.environment),
      owner: ownerOf(rule.owner, people),
      definition: {
        ...question,
        triggers: [...question.triggers],
        filters: filters.map(filterWith(people)),
        receivers,
      },
      isEnabled: !DISABLED.has(rule.status),
      snoozedUntil: rule.snooze === true ? 'forever' : null,
      createdBy: null,
    };
  } catch (error) {
    yield unmapped('alert_rule', id, name, reasonOf(error));
  }
}

/** A metric rule, once for each of its projects. */
export function* metricRuleRecords(
  rule: JsonObject,
  projects: readonly string[],
  people: SentryPeople,
): Generator<RuleRecord> {
  const id = `metric-${rule.id}`;
  const name = textOf(rule.name) ?? `Rule ${rule.id}`;
  const receivers = new Map<string, Receiver>();
  for (const action of objectsOf(rule.triggers).flatMap((trigger) => objectsOf(trigger.actions))) {
    const receiver = metricReceiverOf(action, people);
    if (receiver) receivers.set(JSON.stringify(receiver), receiver);
  }
  try {
    const definition = { ...readMetricQuestion(METRIC_RULE.parse(rule)), receivers: [...receivers.values()] };
    for (const [index, project] of projects.entries()) {
      yield {
        kind: 'alert_rule',
        id: index === 0 ? id : `${id}/${project}`,
        project,
        name,
        environment: textOf(rule.environment),
        owner: ownerOf(rule.owner, people),
        definition,
        isEnabled: !METRIC_DISABLED.has(rule.status),
        snoozedUntil: rule.snooze === true ? 'forever' : null,
        createdBy: null,
      };
    }
  } catch (error) {
    yield unmapped('alert_rule', id, name, reasonOf(error));
  }
}

const METRIC_RULE = z.object({
  aggregate: z.string(),
  dataset: z.string().nullish(),
  eventTypes: z.array(z.string()).nullish(),
  query: z.string().nullish(),
  timeWindow: z.number(),
  thresholdType: z.number(),
  resolveThreshold: z.number().nullish(),
  comparisonDelta: z.number().nullish(),
  triggers: z.array(
    z.object({ label: z.string(), alertThreshold: z.number(), resolveThreshold: z.number().nullish() }),
  ),
});

/** Throws Error for somebody whom the organization does not have. */
const filterWith =
  (people: SentryPeople) =>
  (filter: AlertFilter): Filter => {
    if (filter.kind !== 'assigned') return filter;
    if (filter.to.kind === 'nobody') return { kind: 'assigned', to: filter.to };
    if (filter.to.kind === 'team')
      return { kind: 'assigned', to: { kind: 'team', team: String(filter.to.teamId) } };
    const email = people.emailOf(filter.to.userId);
    if (email === null) throw new Error('It filters by an assignee who is not a member of the organization');
    return { kind: 'assigned', to: { kind: 'user', email } };
  };

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError
    ? `"${error.issues[0]?.path.join('.')}": ${error.issues[0]?.message}`
    : messageOf(error).replace(/\.$/, '');
