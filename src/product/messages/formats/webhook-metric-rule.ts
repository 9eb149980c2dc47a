import { scaleOf, sentryMeasureOf } from '#domain/alerts/sentry-measures.ts';
import type { AlertMetric } from '../alert-message.ts';

/** Sentry's numbers for which side of a threshold is bad. */
const THRESHOLD_TYPES = { above: 0, below: 1 } as const;

/** The rule of a metric as Sentry's webhooks have it. Who else is notified stays between the rule and its receivers. */
export function metricRule(metric: AlertMetric, organizationId: number): Readonly<Record<string, unknown>> {
  const { ruleId, definition } = metric;
  const { measure, direction, windowMinutes, comparisonMinutes, resolve } = definition;
  const { aggregate, dataset } = sentryMeasureOf(measure);
  const scale = scaleOf(definition);
  const resolveThreshold = resolve === null ? null : resolve / scale;
  const thresholdType = THRESHOLD_TYPES[direction];
  const createdAt = new Date(metric.ruleCreatedAt).toISOString();
  return {
    id: String(ruleId),
    name: metric.name,
    organization_id: String(organizationId),
    projects: [metric.projectSlug],
    include_all_projects: false,
    aggregate,
    dataset,
    query: metric.query,
    environment: metric.environment,
    time_window: windowMinutes,
    resolution: 1,
    threshold_period: 1,
    // Only of rules that compare: receivers may not know the rest.
    ...(comparisonMinutes === undefined
      ? {}
      : { detection_type: 'percent', comparison_delta: comparisonMinutes }),
    threshold_type: thresholdType,
    resolve_threshold: resolveThreshold,
    status: 0,
    created_by: null,
    date_created: createdAt,
    date_modified: new Date(metric.ruleUpdatedAt).toISOString(),
    triggers: (['critical', 'warning'] as const).flatMap((label) => {
      const threshold = definition[label];
      if (threshold === null) return [];
      return {
        id: `${ruleId}-${label}`,
        alert_rule_id: String(ruleId),
        label,
        threshold_type: thresholdType,
        alert_threshold: threshold / scale,
        resolve_threshold: resolveThreshold,
        date_created: createdAt,
        actions: [],
      };
    }),
  };
}
