import { z } from 'zod';
import {
  RULE_FIELDS,
  SNOOZE_FIELDS,
  type WrittenRule,
} from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { readPlace } from '#app/api/0/endpoints/alerts/rule-actions.ts';
import { always, each, idOf, isoMs, NO_TEXT, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { COMPARISON_MINUTES_MAX, COMPARISON_MINUTES_MIN } from '#domain/alerts/alert-definition.ts';
import type { AlertReceiver, MetricAlert } from '#domain/alerts/alert-rule.ts';
import { scaleOf, sentryMeasureOf } from '#domain/alerts/sentry-measures.ts';
import { invalid } from '#lib/errors.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { readMetricQuestion } from '#product/alerts/sentry-rules/metric-question.ts';

const ACTIONS_MAX = 50;
const EVENT_TYPES_MAX = 10;

const threshold = z.number().nullish();

const ACTION = z.looseObject({
  type: z.string().max(100),
  targetType: z.string().max(100).nullish(),
  targetIdentifier: z.union([z.string().max(200), z.number()]).nullish(),
  integrationId: z.union([z.string().max(200), z.number()]).nullish(),
});

const TRIGGER = z.looseObject({
  label: z.enum(['critical', 'warning']),
  alertThreshold: z.number(),
  resolveThreshold: threshold,
  actions: z.array(ACTION).max(ACTIONS_MAX).default([]),
});

/** Source of the fields: https://docs.sentry.io/api/alerts/create-a-metric-alert-rule-for-an-organization/ */
export const METRIC_RULE_BODY = z.object({
  name: z.string(),
  projects: z.array(z.string().max(100)).length(1, 'a rule belongs to exactly one project'),
  aggregate: z.string().max(200),
  dataset: z.string().max(100).nullish(),
  eventTypes: z.array(z.string().max(100)).max(EVENT_TYPES_MAX).nullish(),
  query: z.string().nullish(),
  timeWindow: z.number().int(),
  thresholdType: z.union([z.literal(0), z.literal(1)]),
  resolveThreshold: threshold,
  detectionType: z.enum(['static', 'percent'], 'Errata supports "static" and "percent" thresholds').nullish(),
  /** Minutes: thresholds are then percent of change against the same time so long before. */
  comparisonDelta: z.number().int().min(COMPARISON_MINUTES_MIN).max(COMPARISON_MINUTES_MAX).nullish(),
  /** Of a crash-free rate: with fewer sessions in the window, the rule stays as it is. Sentry has none. */
  minimumSessions: z.number().int().nullish(),
  environment: z.string().nullish(),
  owner: z.string().max(120).nullish(),
  triggers: z.array(TRIGGER).min(1).max(2),
});

/** Throws Invalid for what Errata does not measure. */
export function readMetric(body: z.infer<typeof METRIC_RULE_BODY>, known: AlertReceivers): MetricAlert {
  const question = readMetricQuestion(body);
  const receivers = new Map<string, AlertReceiver>();
  for (const [index, trigger] of body.triggers.entries()) {
    for (const [at, action] of trigger.actions.entries()) {
      const receiver = readMetricAction(action, known, `triggers.${index}.actions.${at}`);
      receivers.set(JSON.stringify(receiver), receiver);
    }
  }
  return { ...question, receivers: [...receivers.values()] };
}

function readMetricAction(
  action: z.infer<typeof ACTION>,
  known: AlertReceivers,
  field: string,
): AlertReceiver {
  const target = String(action.targetIdentifier ?? '');
  if (action.type !== 'email') return readPlace(action.integrationId ?? target, known, field);
  if (action.targetType === 'user') return { kind: 'user', userId: target };
  if (action.targetType === 'team' && /^\d{1,15}$/.test(target))
    return { kind: 'team', teamId: Number(target) };
  throw invalid(`"${field}": an email goes to a user or to a team by its ID`, field);
}

const METRIC_ACTION = z
  .object({
    ...each(z.string(), 'id', 'alertRuleTriggerId'),
    /** `email`, or the kind of a destination. */
    ...each(z.string(), 'type', 'targetType', 'targetIdentifier'),
    integrationId: z.string().nullable(),
    ...each(z.null(), 'inputChannelId', 'sentryAppId'),
    ...each(z.string(), 'desc', 'dateCreated'),
  })
  .meta({ id: 'MetricAction' });

function serializeMetricAction(receiver: AlertReceiver, known: AlertReceivers) {
  const desc = describeReceiver(known, receiver);
  const nothing = { inputChannelId: null, integrationId: null, sentryAppId: null, desc };
  if (receiver.kind === 'user') {
    return { type: 'email', targetType: 'user', targetIdentifier: receiver.userId, ...nothing };
  }
  if (receiver.kind === 'team') {
    return { type: 'email', targetType: 'team', targetIdentifier: String(receiver.teamId), ...nothing };
  }
  const destinationId = receiver.kind === 'destination' ? receiver.destinationId : 0;
  const kind = known.destinations.find(({ id }) => id === destinationId)?.kind ?? 'webhook';
  return {
    ...nothing,
    type: kind,
    targetType: 'specific',
    targetIdentifier: String(destinationId),
    integrationId: String(destinationId),
  };
}

type WrittenMetric = WrittenRule & { metric: MetricAlert };
type Label = 'critical' | 'warning';

const thresholdType = [
  z.number(),
  ({ metric }: WrittenMetric) => (metric.direction === 'above' ? 0 : 1),
] as const;
const resolveThreshold = [
  z.number().nullable(),
  ({ metric }: WrittenMetric) => (metric.resolve === null ? null : metric.resolve / scaleOf(metric)),
] as const;

const [METRIC_TRIGGER, serializeMetricTrigger] = shapeOf<WrittenMetric, [label: Label]>()(
  {
    id: [z.string(), ({ id }, label) => `${id}-${label}`],
    alertRuleId: idOf('id'),
    label: [z.enum(['critical', 'warning']), (_, label) => label],
    thresholdType,
    alertThreshold: [z.number(), ({ metric }, label) => (metric[label] ?? 0) / scaleOf(metric)],
    resolveThreshold,
    /** Both thresholds notify the same receivers. */
    actions: [
      z.array(METRIC_ACTION),
      ({ id, createdAt, metric, known }, label) =>
        metric.receivers.map((receiver, index) => ({
          id: `${id}-${label}-${index}`,
          alertRuleTriggerId: `${id}-${label}`,
          ...serializeMetricAction(receiver, known),
          dateCreated: isoOfMs(createdAt),
        })),
    ],
    dateCreated: isoMs('createdAt'),
  },
  'MetricTrigger',
);

const { id, name, environment, owner, createdBy, projects, dateCreated } = RULE_FIELDS;

export const [METRIC_RULE, writeMetricRule] = shapeOf<WrittenMetric>()(
  {
    id,
    name,
    organizationId: idOf('organizationId'),
    status: [z.number(), ({ isEnabled }) => (isEnabled ? 0 : 4)],
    aggregate: [z.string(), ({ metric }) => sentryMeasureOf(metric.measure).aggregate],
    dataset: [z.string(), ({ metric }) => sentryMeasureOf(metric.measure).dataset],
    queryType: [z.number(), ({ metric }) => sentryMeasureOf(metric.measure).queryType],
    query: [z.string(), ({ metric }) => metric.query],
    /** 0 for above, 1 for below. */
    thresholdType,
    resolveThreshold,
    /** Minutes. */
    timeWindow: [z.number(), ({ metric }) => metric.windowMinutes],
    ...each(always(z.number(), 1), 'resolution', 'thresholdPeriod'),
    environment,
    triggers: [
      z.array(METRIC_TRIGGER),
      (rule) =>
        (['critical', 'warning'] as const)
          .filter((label) => rule.metric[label] !== null)
          .map((label) => serializeMetricTrigger(rule, label)),
    ],
    projects,
    owner,
    originalAlertRuleId: NULL,
    /** Minutes; null for fixed thresholds. */
    comparisonDelta: [z.number().nullable(), ({ metric }) => metric.comparisonMinutes ?? null],
    minimumSessions: [z.number().nullable(), ({ metric }) => metric.minimumSessions ?? null],
    createdBy,
    description: NO_TEXT,
    detectionType: [
      z.enum(['static', 'percent']),
      ({ metric }) => (metric.comparisonMinutes === undefined ? 'static' : 'percent'),
    ],
    eventTypes: [z.array(z.string()), ({ metric }) => [...sentryMeasureOf(metric.measure).eventTypes]],
    dateCreated,
    dateModified: isoMs('updatedAt'),
    ...SNOOZE_FIELDS,
  },
  'MetricRule',
);

export const serializeMetricRule = ({ rule, project }: AlertRuleRow, known: AlertReceivers, nowMs: number) =>
  writeMetricRule({ ...rule, project, known, nowMs, metric: rule.definition as MetricAlert });
