import type { IssuePriority } from '#domain/issues/issue.ts';
import type { EventFilter } from '#protocol/event-filter.ts';

/** What brings a rule to look at an issue. `event`: each event that its filters of the event fit. */
export const ALERT_TRIGGERS = ['first_seen', 'regression', 'escalation', 'event'] as const;
export type AlertTrigger = (typeof ALERT_TRIGGERS)[number];

export type AlertFilter =
  | EventFilter
  /** The event is of the newest release of its project. */
  | { kind: 'latest_release' }
  /** Of the issue, as it is when the rule looks; `older` and `newer` than so many minutes. */
  | { kind: 'age'; compare: 'older' | 'newer'; minutes: number }
  | { kind: 'times_seen'; atLeast: number }
  | {
      kind: 'assigned';
      to: { kind: 'nobody' } | { kind: 'user'; userId: string } | { kind: 'team'; teamId: number };
    }
  | { kind: 'category'; category: 'error' | 'feedback' }
  | { kind: 'priority'; atLeast: IssuePriority }
  /** More than `above` events, or users, of the issue within the minutes before. */
  | { kind: 'event_count'; above: number; minutes: number }
  | { kind: 'user_count'; above: number; minutes: number };

/**
 * Whom a rule tells; mail goes to each person, as far as they see the project and want mail about alerts. `owners`: whom
 * the issue is assigned to, else who the ownership rules name, else as `otherwise` says. `members`: of the teams that
 * have the project, of the organization when none has it.
 */
export type AlertReceiver =
  | { kind: 'destination'; destinationId: number }
  | { kind: 'user'; userId: string }
  | { kind: 'team'; teamId: number }
  | { kind: 'owners'; otherwise: 'members' | 'nobody' };

export type IssueAlert = {
  kind: 'issue';
  /** One of them is enough; none: `event`. */
  triggers: readonly AlertTrigger[];
  filters: readonly AlertFilter[];
  filterMatch: 'all' | 'any' | 'none';
  /** The same issue fires the rule at most once in so many minutes (5 to 43,200). */
  frequencyMinutes: number;
  receivers: readonly AlertReceiver[];
};

export const ALERT_MEASURES = [
  'events',
  'users',
  /** Shares of the sessions of the window, 0 to 100. */
  'crash_free_sessions',
  'crash_free_users',
  /** Share of the transactions of the window that failed, 0 to 100. */
  'failure_rate',
] as const;
export type AlertMeasure = (typeof ALERT_MEASURES)[number];

export type MetricAlert = {
  kind: 'metric';
  measure: AlertMeasure;
  /** In the language of the search; empty for everything. Sessions know only release and environment. */
  query: string;
  windowMinutes: number;
  /** Which side of the thresholds is bad. */
  direction: 'above' | 'below';
  critical: number;
  warning: number | null;
  /** Back to ok on the other side of it; null: of the lowest threshold that is set. */
  resolve: number | null;
  /** Of warning or critical, and of being ok again. */
  receivers: readonly AlertReceiver[];
};

export type AlertDefinition = IssueAlert | MetricAlert;

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
  /** null when there was nothing to measure: the state stays. */
  value: number | null;
  checkedAt: number;
  /** Why it could not be measured, in words; null when it could. */
  problem: string | null;
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
