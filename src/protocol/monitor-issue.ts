/**
 * Issues of monitors: a schedule that was not kept, an address that does not answer. Names are Sentry's.
 * Source: src/sentry/issues/grouptype.py of Sentry.
 */
export const MONITOR_ISSUE_TYPES = ['monitor_check_in_failure', 'uptime_domain_failure'] as const;
export type MonitorIssueType = (typeof MONITOR_ISSUE_TYPES)[number];

export const isMonitorIssueType = (type: string): type is MonitorIssueType =>
  MONITOR_ISSUE_TYPES.some((known) => known === type);

/** What shows that a monitor failed: the evidence of an event of its issue. */
export type MonitorEvidence = {
  /** Why it failed, in one line. */
  reason: string;
  /** In the order in which they are read; the names are for people. */
  facts: readonly { name: string; value: string }[];
  /** The monitor's page below the organization: `monitors/crons/nightly-report`. */
  monitorPath: string;
};

/** A failure of a monitor, as the jobs role hands it to digest, which makes an event of it. */
export type MonitorFailure = {
  type: MonitorIssueType;
  organizationId: number;
  projectId: number;
  /** 32 lower-case hex digits, made from what failed and when: handed over twice, it counts once. */
  eventId: string;
  /** What failures have in common that are one issue: the monitor and its environment. */
  fingerprint: readonly string[];
  title: string;
  level: 'error' | 'warning';
  /** Milliseconds since the epoch. */
  at: number;
  environment: string | null;
  /** 32 lower-case hex digits; null when nothing was traced. */
  traceId: string | null;
  tags: readonly (readonly [key: string, value: string])[];
  evidence: MonitorEvidence;
};
