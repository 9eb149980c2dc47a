import type {
  AlertDefinition,
  AlertFiring,
  AlertMeasure,
  AlertRule,
  AlertTrigger,
  FiringCause,
  MetricReading,
} from '#domain/alerts/alert-rule.ts';
import type { Receiver, Withheld } from '#domain/alerts/who-is-notified.ts';
import type { EventScope, IssueEvents, StoredEvent, TimeRange } from './events.ts';
import type { EventExpression } from './search.ts';

export type AlertRuleDraft = Pick<AlertRule, 'name' | 'environment' | 'owner'> & {
  definition: AlertDefinition;
};

/** A rule with when it fired last, in milliseconds since the epoch; null when it never did. */
export type ListedAlertRule = AlertRule & { lastFiredAt: number | null };

/** Rules and what they found. Source: PostgreSQL. Every call that names an organization is scoped by it. */
export interface AlertRuleStore {
  /** Of the projects, by name. */
  list(organizationId: number, projectIds: readonly number[]): Promise<readonly ListedAlertRule[]>;
  find(organizationId: number, ruleId: number): Promise<ListedAlertRule | null>;
  /** null when the organization has no such project. */
  create(
    organizationId: number,
    projectId: number,
    draft: AlertRuleDraft,
    userId: string | null,
    atMs: number,
  ): Promise<AlertRule | null>;
  /** null when there is none; so are the next two. A metric keeps its state, until the rule is enabled again. */
  update(
    organizationId: number,
    ruleId: number,
    draft: AlertRuleDraft,
    atMs: number,
  ): Promise<AlertRule | null>;
  setEnabled(
    organizationId: number,
    ruleId: number,
    isEnabled: boolean,
    atMs: number,
  ): Promise<AlertRule | null>;
  /** `untilMs` null unsnoozes it, Infinity is until somebody unsnoozes it. */
  snooze(
    organizationId: number,
    ruleId: number,
    untilMs: number | null,
    userId: string | null,
    atMs: number,
  ): Promise<AlertRule | null>;
  /** With its firings. False when there is none. */
  remove(organizationId: number, ruleId: number, atMs: number): Promise<boolean>;
  /** Newest first; of the rules. `cursor` is that of an earlier page. */
  listFirings(
    organizationId: number,
    ruleIds: readonly number[],
    page: { limit: number; before: { firedAt: number; id: number } | null },
  ): Promise<readonly NotedFiring[]>;
  /** Firings of a rule per bucket of the range, oldest first. */
  countFirings(
    organizationId: number,
    ruleId: number,
    range: TimeRange,
    bucketMs: number,
  ): Promise<readonly number[]>;
  /** Firings older than that, at most `limit`. Answers how many went. */
  forgetFirings(beforeMs: number, limit: number): Promise<number>;

  /** Changes whenever a rule does, of any organization; for caches. */
  stamp(): Promise<string>;
  /**
   * Enabled rules of issues that look at each event, of every project, at most `limit`, snoozed ones too: those of events,
   * and those of new issues of an environment.
   */
  listEventRules(limit: number): Promise<readonly AlertRule[]>;
  /** Enabled rules of issues in the projects. */
  listIssueRules(projectIds: readonly number[]): Promise<readonly AlertRule[]>;
  /** Enabled rules of metrics that are not snoozed and were not evaluated since, the oldest first. */
  listDueMetrics(checkedBeforeMs: number, nowMs: number, limit: number): Promise<readonly AlertRule[]>;
}

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

/** Entries on their way to becoming firings. Source: PostgreSQL. */
export interface AlertOutboxStore {
  /** The oldest that wait. Nobody owns them: whoever is first to finish them counts. */
  take(limit: number): Promise<readonly OutboxEntry[]>;
  /** When a rule fired last for an issue, by `ruleId:issueId`, in milliseconds since the epoch. */
  findLastFired(pairs: readonly { ruleId: number; issueId: number }[]): Promise<ReadonlyMap<string, number>>;
  /**
   * One transaction: marks the entries as done that fire, or are still at the version that was taken, writes firings unless the rule is quiet
   * about the issue, and lets each join the open message of its receivers, unless those were notified of the issue less than
   * `issueQuietMs` ago; what a pager received before the issue was closed does not count. Answers how many firings were
   * written.
   */
  finish(
    entries: readonly Pick<OutboxEntry, 'id' | 'version'>[],
    firings: readonly IssueFiring[],
    nowMs: number,
    issueQuietMs: number,
  ): Promise<number>;
  /**
   * One transaction: notes what a metric is, unless somebody else looked since `seenAt` or put the rule to rest, and writes
   * the firing when its state is another one. Answers whether it was noted.
   */
  finishMetric(
    rule: Pick<AlertRule, 'id' | 'organizationId' | 'projectId'>,
    seenAt: number | null,
    reading: MetricReading,
    firing: { cause: FiringCause; value: number | null; receivers: readonly Receiver[] } | null,
  ): Promise<boolean>;
  /** Newest release of each project that has one. */
  findNewestReleases(projectIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Issues of a project that were seen first, or came back, in the range: newest first, at most `limit` of each. */
  listTransitions(
    organizationId: number,
    projectId: number,
    range: TimeRange,
    limit: number,
  ): Promise<readonly IssueTransition[]>;
}

export type IssueTransition = {
  issueId: number;
  trigger: Exclude<AlertTrigger, 'event'>;
  /** null when none is known. */
  eventId: string | null;
  at: number;
};

/** An event by its id, or the newest one of an issue. */
export type WantedEvent = {
  projectId: number;
  issueId: number;
  /** Of the issue. */
  hashes: readonly string[];
  eventId: string | null;
  /** Of the newest one; null for any. */
  environment: string | null;
};

/** Within half a percent where there are more than some thousands. */
export type WindowCount = { events: number; users: number };

/** When the first event of an issue in an environment was received, and when that one that was asked for: milliseconds. */
export type FirstIn = { first: number; asked: number };

/** When an issue would have been looked at by a rule on each event. */
export type EventMoment = { projectId: number; groupingHash: string; eventId: string; at: number };

/** `cut`: there were more than asked for, or no time or memory to find any; null when these are all. */
export type Moments = { moments: readonly EventMoment[]; cut: 'limit' | 'time' | null };

/**
 * What a preview asks of stored events. It is given up after `timeMs`: null, or `cut` of the answer.
 */
export type AskedSteps = { range: TimeRange; stepMs: number; environment: string | null; timeMs: number };

/** What alerts ask of stored events. Source: ClickHouse. */
export interface AlertEventStore {
  /**
   * In the order of `wanted`; null for what is gone. Without `payload` it is made of the columns, and has no stack; with it,
   * an event may be some mebibytes: ask for few at once. Throws Invalid when it takes longer than a search may.
   */
  findEvents(
    organizationId: number,
    wanted: readonly WantedEvent[],
    receivedSinceMs: number,
    withPayload: boolean,
  ): Promise<readonly (StoredEvent | null)[]>;
  /**
   * Events and users of each issue within the range, in their order; at most a thousand issues. Throws Invalid when it takes
   * too long or too much memory; so does the next one.
   */
  countWindow(
    scope: EventScope,
    issues: readonly IssueEvents[],
    asked: { range: TimeRange; environment: string | null },
  ): Promise<readonly WindowCount[]>;
  /** In the order of the issues; null for one that has none of the events there. At most a thousand issues. */
  findFirstIn(
    scope: EventScope,
    issues: readonly IssueEvents[],
    asked: { environment: string; eventIds: readonly string[] },
  ): Promise<readonly (FirstIn | null)[]>;
  /** About how many steps of the range have events, counted for each grouping hash with more than `above` of them. */
  countSteps(scope: EventScope, asked: AskedSteps & { above: number }): Promise<number | null>;
  /**
   * The first event of each grouping hash in each step of the range, newest first, at most `limit`. Where `oneOf` is more
   * than one, of each hash one stretch of `blockMs` in so many.
   */
  listMoments(
    scope: EventScope,
    asked: AskedSteps & { oneOf: number; blockMs: number },
    limit: number,
  ): Promise<Moments>;
  /**
   * Windows in which more than `above` events, or users, of one grouping hash fall, beginning at each step (a part of the
   * window): the last event of each; newest first, at most `limit`. Of one hash in `oneOf`.
   */
  listCrowded(
    scope: EventScope,
    asked: AskedSteps & { of: 'events' | 'users'; above: number; windowMs: number; oneOf: number },
    limit: number,
  ): Promise<Moments>;
  /**
   * A measure over time: one value per bucket, oldest first; null where a share has nothing that it could be of. The
   * expression names only what the rows of the measure have. Throws Invalid when it takes longer than a search may.
   */
  measure(
    scope: EventScope,
    asked: {
      measure: AlertMeasure;
      expression: EventExpression;
      range: TimeRange;
      bucketMs: number;
    },
  ): Promise<readonly (number | null)[]>;
}
