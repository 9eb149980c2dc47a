import type { AlertFiring } from '#domain/alerts/alert-rule.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';

/**
 * `alert`: firings of rules, as many as came together; `closing`: incidents of a pager whose issues are resolved,
 * archived or gone, or whose metric nobody looks at any more; `activity`: what happened to an issue that concerns a user; `report`: a week of an organization; `test`:
 * somebody pressed the button.
 */
export type DeliveryKind = 'alert' | 'closing' | 'activity' | 'report' | 'test';

/**
 * What a message is about besides its firings and activities: the week that begins then (milliseconds); incidents that it
 * closes, or that an alert opened.
 */
export type DeliverySubject =
  | { kind: 'none' }
  | { kind: 'report'; weekStart: number }
  | { kind: 'incidents'; incidents: readonly Incident[] };

/** What a pager has as one incident: an issue, several that one message (a delivery) told of, or the metric of a rule. */
export type Incident =
  | { kind: 'issue'; id: number }
  | { kind: 'message'; id: string }
  | { kind: 'metric'; id: number };

/** `open`: more may join; `sealed`: its content is decided; the others are final. */
export type DeliveryState = 'open' | 'sealed' | 'sent' | 'failed' | 'dropped';

export type Delivery = {
  /** A UUID, the same for every try. */
  id: string;
  organizationId: number;
  kind: DeliveryKind;
  receiver: Receiver;
  subject: DeliverySubject;
  state: DeliveryState;
  /** Milliseconds since the epoch: not sent before. */
  dueAt: number;
  /** What is sent, as src/product/messages/message-content.ts describes it; of a finished one only its summary is kept. */
  content: unknown;
  attempts: number;
  /** A sentence about the last try that failed. */
  lastError: string | null;
  /** Of HTTP, of the last try; null when there was no answer. */
  lastStatus: number | null;
  createdAt: number;
  doneAt: number | null;
};

/** A delivery that somebody has taken to send; nobody else gets it until the lease ends. */
export type TakenDelivery = Delivery & {
  /** Milliseconds since the epoch. */
  leaseUntil: number;
  /** Why it is sent: none for other kinds than `alert`, and once it has its content. */
  firings: FiringDigest;
};

/** Who holds a message. */
export type Lease = Pick<TakenDelivery, 'id' | 'leaseUntil'>;

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

export type ListedDelivery = Delivery & {
  /** Of the projects that were asked for. */
  firingsTotal: number;
  /** Whether it also tells of projects that were not asked for. */
  tellsOfOthers: boolean;
  /** null for a destination. */
  userName: string | null;
};

/** Where a page of the log ended. */
export type DeliveryPlace = { createdAt: number; id: string };

/** Messages on their way. Source: PostgreSQL. Calls that people cause are scoped by organization. */
export interface DeliveryStore {
  /**
   * Due messages, leased until `leaseUntil`, mails until `mailLeaseUntil`: alerts before mails about activities, reports last, the oldest first; with at
   * most `issuesMax` issues and `metricsMax` metrics of what fired. Of the `limit` at most `mailsMax` are mails, and
   * `reportsMax` reports. Open ones are sealed:
   * from here on nothing joins them. One of a destination at a time, and none while another is under way to it: they
   * arrive in their order. Mails for which their organization has no room are due later instead.
   */
  take(
    nowMs: number,
    limits: {
      leaseUntil: number;
      mailLeaseUntil: number;
      limit: number;
      mailsMax: number;
      reportsMax: number;
      issuesMax: number;
      metricsMax: number;
      mailsPerHourMax: number;
    },
  ): Promise<readonly TakenDelivery[]>;
  /**
   * Decides what every try says, and which incidents it opens, unless that is decided already; answers what it says. null
   * when it is not sealed.
   */
  seal(id: string, content: unknown, opened?: readonly Incident[]): Promise<unknown>;
  /**
   * Final; of the content only its `summary` is kept. False when it was final already, or is somebody else's since the
   * lease ended.
   */
  finish(
    taken: Lease,
    state: 'sent' | 'failed' | 'dropped',
    result: { error: string | null; status: number | null },
    atMs: number,
  ): Promise<boolean>;
  /**
   * Gives it back: it is due again then. `result` null: no try was made, and none counts. Nothing happens when it is
   * somebody else's since the lease ended.
   */
  postpone(
    taken: Lease,
    dueAt: number,
    result: { error: string; status: number | null } | null,
  ): Promise<void>;
  /** A test that was sent, or failed, is part of the log. */
  recordTest(
    test: { id: string; organizationId: number; destinationId: number; summary: string },
    result: { error: string | null; status: number | null },
    atMs: number,
  ): Promise<void>;
  /** Of the ids of firings, by firing, the messages that tell of them. `seenIn`: projects that are asked for, null for all. */
  findByFirings(
    organizationId: number,
    firingIds: readonly number[],
    seenIn: readonly number[] | null,
  ): Promise<ReadonlyMap<number, readonly ListedDelivery[]>>;
  /**
   * Newest first: the log of a destination, of a rule, or of everything. `seenIn` keeps tests and what tells of one of the
   * projects; null for all.
   */
  list(
    organizationId: number,
    filter: { destinationId: number | null; ruleId: number | null; seenIn: readonly number[] | null },
    page: { limit: number; before: DeliveryPlace | null },
  ): Promise<readonly ListedDelivery[]>;
  /**
   * Of each incident, whether it goes on: its issue (or the one that this was merged into), or one of its issues, is
   * unresolved; its metric is not ok, and looked at. What is gone does not go on.
   */
  areOpen(organizationId: number, incidents: readonly Incident[]): Promise<readonly boolean[]>;
  /** Finished messages older than that, at most `limit`. Answers how many. */
  forget(beforeMs: number, limit: number): Promise<number>;
}

/** A channel on which PostgreSQL announces new work. */
export interface NotifyFeed {
  /** Answers how to end it. */
  subscribe(listener: () => void): () => void;
}
