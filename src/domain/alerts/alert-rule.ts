import type { z } from 'zod';
import type {
  ALERT_DEFINITION,
  ALERT_FILTER,
  ALERT_RECEIVER,
  ISSUE_ALERT,
  METRIC_ALERT,
} from './alert-definition.ts';
import type { ALERT_MEASURES, ALERT_TRIGGERS } from './alert-kinds.ts';

export type AlertTrigger = (typeof ALERT_TRIGGERS)[number];
export type AlertMeasure = (typeof ALERT_MEASURES)[number];
export type AlertFilter = z.infer<typeof ALERT_FILTER>;
export type AlertReceiver = z.infer<typeof ALERT_RECEIVER>;
export type IssueAlert = z.infer<typeof ISSUE_ALERT>;
export type MetricAlert = z.infer<typeof METRIC_ALERT>;
export type MetricMeasure = MetricAlert['measure'];
export type RowMeasure = Exclude<MetricMeasure, AlertMeasure>;
export type AlertDefinition = z.infer<typeof ALERT_DEFINITION>;

export type AlertRule = {
  id: number;
  organizationId: number;
  projectId: number;
  name: string;
  /** null for every one. */
  environment: string | null;
  owner: { kind: 'user'; userId: string } | { kind: 'team'; teamId: number } | null;
  definition: AlertDefinition;
  isEnabled: boolean;
  /** Milliseconds since the epoch; Infinity until somebody unsnoozes it; null when it is not snoozed. */
  snoozedUntil: number | null;
  createdBy: { id: string; name: string } | null;
  createdAt: number;
  updatedAt: number;
  /** Of a metric that was looked at; null otherwise. */
  metric: MetricReading | null;
};

export const METRIC_STATES = ['ok', 'warning', 'critical'] as const;
export type MetricState = (typeof METRIC_STATES)[number];

/** What a metric was when it was looked at last. */
export type MetricReading = {
  state: MetricState;
  /** Milliseconds since the epoch; so is `checkedAt`. */
  since: number;
  /** null when there was nothing to measure, or to compare it with: the state stays. */
  value: number | null;
  checkedAt: number;
  /** Why it could not be measured, in words; null when it could. */
  problem: string | null;
  /** Milliseconds that the look took, and when the next one is due; null for one of an older version. */
  tookMs: number | null;
  nextAt: number | null;
};

/** What fired: a trigger, or the state that a metric reached. */
export type FiringCause = AlertTrigger | MetricState;

export type AlertFiring = {
  id: number;
  organizationId: number;
  projectId: number;
  ruleId: number;
  /** null for a metric. */
  issueId: number | null;
  eventId: string | null;
  cause: FiringCause;
  /** Of a metric. */
  value: number | null;
  /** Of a change: what was measured, and what it was before; null otherwise. */
  measured: number | null;
  measuredBefore: number | null;
  /** Milliseconds since the epoch. */
  firedAt: number;
};

/** What came together in one message. */
export type FiringDigest = {
  /** The newest of each metric first, then the oldest of each issue, the most frequent issues first; bounded. */
  named: readonly AlertFiring[];
  /** Distinct issues, and metrics. */
  issues: number;
  metrics: number;
  total: number;
  /** Milliseconds since the epoch; null when there is none. */
  firstAt: number | null;
  /** The rules that fired, the one that fired most first; bounded. */
  ruleIds: readonly number[];
};
