import { z } from 'zod';
import {
  serializeCreator,
  serializeSnooze,
  writeOwner,
} from '#app/api/0/endpoints/alerts/issue-rule-shape.ts';
import { readPlace } from '#app/api/0/endpoints/alerts/rule-actions.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { AlertMeasure, AlertReceiver, MetricAlert } from '#domain/alerts/alert-rule.ts';
import { SENTRY_MEASURES, scaleOf } from '#domain/alerts/sentry-measures.ts';
import { invalid } from '#lib/errors.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';

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
  detectionType: z.literal('static', 'Errata only supports fixed thresholds: use "static"').nullish(),
  comparisonDelta: z.null('Errata does not support comparison with an earlier period').optional(),
  environment: z.string().nullish(),
  owner: z.string().max(120).nullish(),
  triggers: z.array(TRIGGER).min(1).max(2),
});

/** A share of one has no more digits than a person writes. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Throws Invalid for what Errata does not measure. */
export function readMetric(body: z.infer<typeof METRIC_RULE_BODY>, known: AlertReceivers): MetricAlert {
  const measure = readMeasure(body.aggregate);
  checkPlace(measure, body);
  const scale = scaleOf(measure);
  const of = (label: 'critical' | 'warning') => body.triggers.find((trigger) => trigger.label === label);
  const critical = of('critical');
  if (!critical) throw invalid('"triggers": label one of them "critical"', 'triggers');
  const warning = of('warning');
  const resolve = body.resolveThreshold ?? critical.resolveThreshold ?? warning?.resolveThreshold ?? null;
  const receivers = new Map<string, AlertReceiver>();
  for (const [index, trigger] of body.triggers.entries()) {
    for (const [at, action] of trigger.actions.entries()) {
      const receiver = readMetricAction(action, known, `triggers.${index}.actions.${at}`);
      receivers.set(JSON.stringify(receiver), receiver);
    }
  }
  return {
    kind: 'metric',
    measure,
    query: body.query ?? '',
    windowMinutes: body.timeWindow,
    direction: body.thresholdType === 0 ? 'above' : 'below',
    critical: rounded(critical.alertThreshold * scale),
    warning: warning ? rounded(warning.alertThreshold * scale) : null,
    resolve: resolve === null ? null : rounded(resolve * scale),
    receivers: [...receivers.values()],
  };
}

function readMeasure(aggregate: string): AlertMeasure {
  const written = aggregate.replaceAll(/\s+/g, ' ').trim();
  const found = (Object.keys(SENTRY_MEASURES) as AlertMeasure[]).find((measure) => {
    const [call = ''] = SENTRY_MEASURES[measure].aggregate.split(' AS ');
    return written === call || written.startsWith(`${call} AS `);
  });
  if (found) return found;
  const names = Object.values(SENTRY_MEASURES).map((each) => each.aggregate);
  throw invalid(`"aggregate": Errata supports ${names.join('; ')}`, 'aggregate');
}

/** Where Sentry looks for the same. */
const DATASETS: Readonly<Record<string, readonly string[]>> = {
  events: ['events'],
  transactions: ['transactions', 'generic_metrics'],
  metrics: ['metrics', 'sessions'],
};

/** The same call counts other things elsewhere: `count()` of transactions is none of errors. */
function checkPlace(
  measure: AlertMeasure,
  { dataset, eventTypes }: Pick<z.infer<typeof METRIC_RULE_BODY>, 'dataset' | 'eventTypes'>,
): void {
  const { aggregate, dataset: place } = SENTRY_MEASURES[measure];
  const datasets = DATASETS[place] ?? [place];
  if (dataset != null && !datasets.includes(dataset)) {
    throw invalid(`"dataset": Errata supports ${aggregate} only in ${datasets.join(' or ')}`, 'dataset');
  }
  // Sessions have no types of events, and Sentry overlooks what is sent.
  const types = EVENT_TYPES[place];
  if (!types || eventTypes == null || eventTypes.length === 0) return;
  // Messages are counted with the errors, not alone.
  const isMeasured = eventTypes.every((type) => types.includes(type)) && !eventTypes.every(isMessage);
  if (isMeasured) return;
  throw invalid(`"eventTypes": Errata supports ${aggregate} only for ${types.join(' and ')}`, 'eventTypes');
}

const isMessage = (eventType: string): boolean => eventType === 'default';

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

/** Both thresholds tell the same receivers. */
export function serializeMetricRule({ rule, project }: AlertRuleRow, known: AlertReceivers, nowMs: number) {
  const definition = rule.definition as MetricAlert;
  const { measure, direction, receivers } = definition;
  const scale = scaleOf(measure);
  const scaled = (value: number | null) => (value === null ? null : value / scale);
  const thresholdType = direction === 'above' ? 0 : 1;
  const dateCreated = isoOfMs(rule.createdAt);
  const triggers = (['critical', 'warning'] as const).flatMap((label) => {
    const value = definition[label];
    if (value === null) return [];
    const id = `${rule.id}-${label}`;
    return {
      id,
      alertRuleId: String(rule.id),
      label,
      thresholdType,
      alertThreshold: value / scale,
      resolveThreshold: scaled(definition.resolve),
      dateCreated,
      actions: receivers.map((receiver, index) => ({
        id: `${id}-${index}`,
        alertRuleTriggerId: id,
        ...serializeMetricAction(receiver, known),
        dateCreated,
      })),
    };
  });
  return {
    id: String(rule.id),
    name: rule.name,
    organizationId: String(rule.organizationId),
    status: rule.isEnabled ? 0 : 4,
    ...SENTRY_MEASURES[measure],
    query: definition.query,
    thresholdType,
    resolveThreshold: scaled(definition.resolve),
    timeWindow: definition.windowMinutes,
    environment: rule.environment,
    resolution: 1,
    thresholdPeriod: 1,
    triggers,
    projects: [project.slug],
    owner: writeOwner(rule.owner),
    originalAlertRuleId: null,
    comparisonDelta: null,
    dateModified: isoOfMs(rule.updatedAt),
    dateCreated,
    createdBy: serializeCreator(rule, known),
    description: '',
    detectionType: 'static',
    eventTypes: EVENT_TYPES[SENTRY_MEASURES[measure].dataset] ?? [],
    ...serializeSnooze(rule, nowMs),
  };
}

const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  events: ['default', 'error'],
  transactions: ['transaction'],
};

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
