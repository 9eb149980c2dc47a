import type { DigestedEvent } from '#protocol/event.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { OwnerReference } from '#protocol/ownership.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';

/** Part of a spool that has been read: after `from`, up to and including `to`. */
export type SpoolRange = { spoolId: string; from: number; to: number };

export type AssignResult = {
  /** False when the range had been assigned before: nothing was changed. */
  applied: boolean;
  newIssues: number;
  regressions: number;
};

/** Whom a rule gives a new issue to: the first of the owners that is there. `rule` is kept as the reason. */
export type IssueOwnerRule = {
  owners: readonly OwnerReference[];
  rule: {
    source: 'rules' | 'codeowners';
    /** 1-based. */
    line: number;
    text: string;
    /** What of the event it fits. */
    value: string;
  };
};

/** null when nobody owns what the event tells of. */
export type FindIssueOwner = (event: DigestedEvent) => IssueOwnerRule | null;

/** A rule of alerts that wants to hear of an event. */
export type EventHit = {
  ruleId: number;
  /** When the rule was changed last, in milliseconds since the epoch. */
  ruleVersion: number;
  /** `first_seen`: the event may be the first one of the issue in the environment of the rule. */
  kind: 'event' | 'first_seen';
  /**
   * `fits`: nothing else is to be asked; `open`: the issue is to be asked as well; `unread`: there was no time to look at
   * the event.
   */
  verdict: 'fits' | 'open' | 'unread';
  /** How long the rule need not hear of the issue again when it fits. */
  frequencyMs: number;
};

/** Empty for most events. */
export type FindEventHits = (event: DigestedEvent) => readonly EventHit[];

export type QuarantinedItem = {
  id: number;
  organizationId: number;
  projectId: number;
  keyId: number | null;
  eventId: string | null;
  category: string;
  /** Machine-readable. */
  reason: string;
  detail: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  quarantinedAt: number;
  /** null until replayed. */
  replayedAt: number | null;
};

export type QuarantineEntry = Omit<QuarantinedItem, 'id' | 'quarantinedAt' | 'replayedAt'> & {
  /** The spooled record, whole. */
  record: Uint8Array;
  /** Identity of the record, so that a replay of the batch sets it aside once. */
  spoolId: string;
  position: number;
  /** Index of the item within the record. */
  item: number;
};

/** A release or an environment that something else than an event names: a session, a transaction. */
export type NamedOrigin = {
  organizationId: number;
  projectId: number;
  /** null for none; so is the environment. */
  release: string | null;
  environment: string | null;
  /** Milliseconds since the epoch. */
  at: number;
};

/**
 * Digest stores its batches between `enter` and `leave`, which a backup holds shut for a moment. `enter` throws ErrataError
 * 'unavailable' when the store that knows is away.
 */
export interface BatchGate {
  enter(): Promise<void>;
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** What one batch does to the relational store, in one transaction with the spool position. Source: PostgreSQL. */
export interface DigestStore {
  /** Highest position that has been assigned; 0 for a new spool. */
  findPosition(spoolId: string): Promise<number>;
  /**
   * One transaction: issues found by hash or created, counters, first and last seen, regressions with their activity,
   * releases, environments (those of `named` as well), outcomes, quarantine, the outbox, check-ins for their monitors, and the
   * position. All or nothing. When the position is not `range.from` any more, nothing is written and `applied` is false.
   * Several ranges are of different spools, and moved together or not at all.
   */
  assign(
    range: SpoolRange | readonly SpoolRange[],
    events: readonly DigestedEvent[],
    outcomes: readonly OutcomeCount[],
    quarantine: readonly QuarantineEntry[],
    nowMs: number,
    named?: readonly NamedOrigin[],
    checkIns?: readonly DigestedCheckIn[],
  ): Promise<AssignResult>;
}

export interface QuarantineStore {
  /** Newest first. Without an organization: of the whole instance, for the operator. */
  list(organizationId: number | null, limit: number): Promise<readonly QuarantinedItem[]>;
  find(id: number): Promise<(QuarantinedItem & { record: Uint8Array }) | null>;
  /** The item and all others of its record: a record is replayed whole. */
  markReplayed(id: number, nowMs: number): Promise<void>;
  /** Whether the item is there and its project is not. */
  isOfDeletedProject(id: number): Promise<boolean>;
  /** Every item of the project, replayed or not. */
  deleteOfProject(organizationId: number, projectId: number): Promise<void>;
}
