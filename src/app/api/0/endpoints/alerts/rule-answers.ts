import { z } from 'zod';
import { NAMED } from '#app/api/0/shapes/parts.ts';

const SNOOZE = {
  snooze: z.boolean(),
  snoozeForEveryone: z.boolean(),
  /** null without an end. */
  snoozeUntil: z.string().nullable(),
};

const CREATOR = NAMED.extend({ email: z.string() });

/** A condition, filter or action: what it has besides depends on its `id`. */
const RULE_PART = z.looseObject({ id: z.string() }).meta({ id: 'RulePart' });

export const ISSUE_RULE = z
  .object({
    id: z.string(),
    name: z.string(),
    conditions: z.array(RULE_PART),
    filters: z.array(RULE_PART),
    actions: z.array(RULE_PART),
    actionMatch: z.enum(['any', 'all']),
    filterMatch: z.enum(['any', 'all', 'none']),
    /** Minutes. */
    frequency: z.number(),
    environment: z.string().nullable(),
    owner: z.string().nullable(),
    createdBy: CREATOR.nullable(),
    projects: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    dateCreated: z.string(),
    lastTriggered: z.string().nullable(),
    ...SNOOZE,
  })
  .meta({ id: 'IssueRule' });

const METRIC_ACTION = z
  .object({
    id: z.string(),
    alertRuleTriggerId: z.string(),
    /** `email`, or the kind of a destination. */
    type: z.string(),
    targetType: z.string(),
    targetIdentifier: z.string(),
    integrationId: z.string().nullable(),
    inputChannelId: z.null(),
    sentryAppId: z.null(),
    desc: z.string(),
    dateCreated: z.string(),
  })
  .meta({ id: 'MetricAction' });

const METRIC_TRIGGER = z
  .object({
    id: z.string(),
    alertRuleId: z.string(),
    label: z.enum(['critical', 'warning']),
    thresholdType: z.number(),
    alertThreshold: z.number(),
    resolveThreshold: z.number().nullable(),
    actions: z.array(METRIC_ACTION),
    dateCreated: z.string(),
  })
  .meta({ id: 'MetricTrigger' });

export const METRIC_RULE = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    status: z.number(),
    aggregate: z.string(),
    dataset: z.string(),
    queryType: z.number(),
    query: z.string(),
    /** 0 for above, 1 for below. */
    thresholdType: z.number(),
    resolveThreshold: z.number().nullable(),
    /** Minutes. */
    timeWindow: z.number(),
    resolution: z.number(),
    thresholdPeriod: z.number(),
    environment: z.string().nullable(),
    triggers: z.array(METRIC_TRIGGER),
    projects: z.array(z.string()),
    owner: z.string().nullable(),
    originalAlertRuleId: z.null(),
    comparisonDelta: z.null(),
    createdBy: CREATOR.nullable(),
    description: z.string(),
    detectionType: z.string(),
    eventTypes: z.array(z.string()),
    dateCreated: z.string(),
    dateModified: z.string(),
    ...SNOOZE,
  })
  .meta({ id: 'MetricRule' });

export const COMBINED_RULE = z.discriminatedUnion('type', [
  ISSUE_RULE.extend({ type: z.literal('rule') }).meta({ id: 'CombinedIssueRule' }),
  METRIC_RULE.extend({ type: z.literal('alert_rule') }).meta({ id: 'CombinedMetricRule' }),
]);

/** When a rule would have fired in the past. */
export const RULE_PREVIEW = z
  .object({
    firings: z.number(),
    isEstimate: z.boolean(),
    /** Why it is one, in sentences. */
    estimates: z.array(z.string()),
    buckets: z.object({
      fromMs: z.number(),
      bucketMs: z.number(),
      values: z.array(z.number().nullable()),
    }),
    issues: z.array(
      z.object({ id: z.string(), shortId: z.string(), title: z.string(), firings: z.number() }),
    ),
    issuesTotal: z.number(),
  })
  .meta({ id: 'RulePreview' });
