import type { AlertDefinition, AlertFiring, AlertRule, AlertTrigger } from '#domain/alerts/alert-rule.ts';
import type { Receiver, Withheld } from '#domain/alerts/who-is-notified.ts';

export type AlertRuleDraft = Pick<AlertRule, 'name' | 'environment' | 'owner'> & {
  definition: AlertDefinition;
};

/** A rule with when it fired last, in milliseconds since the epoch; null when it never did. */
export type ListedAlertRule = AlertRule & { lastFiredAt: number | null };

/** A firing, and whom it was kept from. What became of its messages, the store of deliveries knows. */
export type NotedFiring = AlertFiring & { withheld: readonly Withheld[] };

/** Something that happened to an issue and that alert rules may fire for. */
export type OutboxEntry = {
  id: number;
  /** Of what it says: other events may take the place of one that waits. */
  version: number;
  organizationId: number;
  projectId: number;
  issueId: number;
  kind: AlertTrigger;
  /** null when no event brought it: the newest one of the issue stands for it. */
  eventId: string | null;
  /** What digest found for one rule; null for an entry that every rule of the project may look at. */
  hit: { ruleId: number; ruleVersion: number; verdict: 'fits' | 'open' | 'unread' } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/** A rule found what it looks for in an issue. */
export type IssueFiring = {
  entryId: number;
  ruleId: number;
  organizationId: number;
  projectId: number;
  issueId: number;
  eventId: string | null;
  cause: AlertTrigger;
  firedAt: number;
  /**
   * The rule fires for the issue only when it did not since then; a regression or escalation also for pagers whose incident
   * was closed since.
   */
  quietSinceMs: number;
  receivers: readonly Receiver[];
};

export type IssueTransition = {
  issueId: number;
  trigger: Exclude<AlertTrigger, 'event'>;
  /** null when none is known. */
  eventId: string | null;
  at: number;
};
