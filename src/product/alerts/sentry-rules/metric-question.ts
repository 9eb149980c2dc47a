import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { scaleOf } from '#domain/alerts/sentry-measures.ts';
import { invalid } from '#lib/errors.ts';
import { readMeasured } from './sentry-measure.ts';

type Threshold = { label: string; alertThreshold: number; resolveThreshold?: number | null | undefined };

/** What a metric rule of Sentry looks for, without whom it notifies. */
export type MetricQuestion = Parameters<typeof readMeasured>[0] & {
  /** Minutes. */
  timeWindow: number;
  /** 0 for above, 1 for below. */
  thresholdType: number;
  resolveThreshold?: number | null | undefined;
  detectionType?: 'static' | 'percent' | null | undefined;
  comparisonDelta?: number | null | undefined;
  minimumSessions?: number | null | undefined;
  triggers: readonly Threshold[];
};

/** A share of one has no more digits than a person writes. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Throws Invalid for what Errata does not measure. */
export function readMetricQuestion(body: MetricQuestion): Omit<MetricAlert, 'receivers'> {
  const { measure, query } = readMeasured(body);
  const comparisonMinutes = body.comparisonDelta ?? undefined;
  if (body.detectionType === 'percent' && comparisonMinutes === undefined) {
    throw invalid('"comparisonDelta": say how many minutes before to compare with', 'comparisonDelta');
  }
  if (body.detectionType === 'static' && comparisonMinutes !== undefined) {
    throw invalid('"detectionType": use "percent" with a comparisonDelta', 'detectionType');
  }
  const scale = scaleOf({ measure, comparisonMinutes });
  const of = (label: 'critical' | 'warning') => body.triggers.find((trigger) => trigger.label === label);
  const critical = of('critical');
  if (!critical) throw invalid('"triggers": label one of them "critical"', 'triggers');
  const warning = of('warning');
  const resolve = body.resolveThreshold ?? critical.resolveThreshold ?? warning?.resolveThreshold ?? null;
  return {
    kind: 'metric',
    measure,
    query,
    windowMinutes: body.timeWindow,
    direction: body.thresholdType === 0 ? 'above' : 'below',
    ...(comparisonMinutes === undefined ? {} : { comparisonMinutes }),
    ...(body.minimumSessions == null ? {} : { minimumSessions: body.minimumSessions }),
    critical: rounded(critical.alertThreshold * scale),
    warning: warning ? rounded(warning.alertThreshold * scale) : null,
    resolve: resolve === null ? null : rounded(resolve * scale),
  };
}
