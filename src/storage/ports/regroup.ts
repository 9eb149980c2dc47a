import type { NewGroupingRules } from './grouping-rules.ts';
import type { HashIndex, HashPair, RegroupPlan } from './regroup-plan.ts';

/** `reprocess`: uploads were applied to stored events, and issues follow the new frames. It cannot be undone. */
export type GroupingChangeKind = 'merge' | 'unmerge' | 'regroup' | 'reprocess';

/**
 * A regroup: `scanning` (nothing has changed yet, may be cancelled) → `moving` (the hash index has changed, rows of hashes that
 * split follow) → `done` → `undoing` → `undone`. A merge and an unmerge are done, and undone, at once.
 */
export type GroupingChangeState = 'scanning' | 'moving' | 'done' | 'undoing' | 'undone' | 'cancelled';

export type GroupingChange = {
  id: number;
  organizationId: number;
  projectId: number;
  kind: GroupingChangeKind;
  state: GroupingChangeState;
  user: { userId: string; name: string } | null;
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number;
  /** When the hash index changed; null until it did. */
  appliedAt: number | null;
  undoneAt: number | null;
  finishedAt: number | null;
  /** The rules that were applied, and those that counted before; null for a merge and an unmerge. */
  rulesVersion: number | null;
  formerVersion: number | null;
  /** Events that are stored, that were looked at, and whose hash changed. */
  eventsTotal: number;
  eventsSeen: number;
  eventsMoved: number;
  /** Issues that were touched, and what they became. */
  issuesBefore: number;
  issuesAfter: number;
  /** What the last try failed with; null when it did not. */
  lastError: string | null;
};

/** Where a job has got to: which pass over the events, and the last event that was looked at. */
export type RegroupCursor = {
  round: number;
  /** `scan` reads events, `move` rewrites rows of this round; both go by day, newest day first. */
  step: 'scan' | 'move';
  /** Events that arrived since then are looked at in this round (milliseconds); null for all. */
  sinceMs: number | null;
  /** When the round began. */
  startedAt: number;
  /** Newest arrival among the stored events when the round began: the next one looks from here on. */
  newestMs: number;
  /** As `newestMs` when the first round began: what came later may have been grouped by either rules. */
  firstNewestMs: number;
  /** `2026-01-31`, of the day under way; null at the beginning of a step. */
  day: string | null;
  /** null at the beginning of a day. */
  after: { hash: string; occurredAt: number; eventId: string } | null;
};

export type RegroupJob = {
  change: GroupingChange;
  phase: 'apply' | 'undo';
  /** null when nothing was begun in this phase. */
  cursor: RegroupCursor | null;
  /** The rules to group by. */
  rules: { fingerprint: string; stackTrace: string };
};

/** Changes of the hash index, and the work of a regroup. Source: PostgreSQL. */
export interface RegroupStore {
  /**
   * The hashes of the issues go to the target, with counts, comments and activity; the issues are gone, and their short
   * ids lead to it. Throws NotFound for issues that are not there or in another project, Conflict while a regroup of the
   * project is under way.
   */
  merge(
    organizationId: number,
    input: { targetId: number; issueIds: readonly number[] },
    userId: string | null,
    nowMs: number,
  ): Promise<GroupingChange>;
  /**
   * The hashes leave the issue: back to the issue that a merge brought them from where all of them came from one, else
   * to a new one. At least one hash stays. Answers where they are now. Throws as `merge`.
   */
  unmerge(
    organizationId: number,
    input: { issueId: number; hashes: readonly string[] },
    userId: string | null,
    nowMs: number,
  ): Promise<{ change: GroupingChange; issueId: number }>;
  /**
   * Takes a change back: a merge and an unmerge at once, a regroup as far as the hash index goes; its rows follow as a job.
   * Throws Conflict when a later change touched the same hashes, or when it cannot be undone (any more).
   */
  undo(
    organizationId: number,
    changeId: number,
    userId: string | null,
    nowMs: number,
  ): Promise<GroupingChange>;
  /** Of one kind, newest first. */
  listChanges(
    organizationId: number,
    projectId: number,
    kind: GroupingChangeKind,
    limit: number,
  ): Promise<readonly GroupingChange[]>;
  /** Changes that touched a hash which is the issue's now, or the issue itself; newest first. */
  listIssueChanges(
    organizationId: number,
    issueId: number,
    limit: number,
  ): Promise<readonly GroupingChange[]>;
  findChange(organizationId: number, changeId: number): Promise<GroupingChange | null>;

  /** Counters by hash of an issue, most events first; at most `limit`. */
  listHashes(organizationId: number, issueId: number, limit: number): Promise<readonly IssueHash[]>;
  /** Issues of the hashes of a project. */
  findMap(
    organizationId: number,
    projectId: number,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** As `findMap`, with all other hashes of those issues, and what they stand for. */
  findHashIndex(organizationId: number, projectId: number, hashes: readonly string[]): Promise<HashIndex>;
  /** The issues of a project that were seen last, without one of them. */
  listRecentTexts(
    organizationId: number,
    projectId: number,
    exceptId: number,
    limit: number,
  ): Promise<readonly { issueId: number; title: string; culprit: string; type: string }[]>;

  /**
   * A new version of the rules that waits for its regroup. Throws Conflict when one of the project is under way, and as
   * `activate` of the rules' store.
   */
  begin(
    organizationId: number,
    projectId: number,
    rules: NewGroupingRules,
    nowMs: number,
  ): Promise<GroupingChange>;
  /** Only while nothing has changed. Throws Conflict else. */
  cancel(organizationId: number, changeId: number, nowMs: number): Promise<void>;
  /** A job that nobody works on, or that the owner had already; it is the owner's until `leaseMs` after its last step. */
  claim(owner: string, leaseMs: number, nowMs: number): Promise<RegroupJob | null>;
  /** For a step that takes long. False as `checkpoint`. */
  extendLease(
    job: { changeId: number; owner: string; phase: 'apply' | 'undo' },
    leaseMs: number,
    nowMs: number,
  ): Promise<boolean>;
  /**
   * One transaction: pairs are added to those of the round, the cursor moves. False when the job is not the owner's any
   * more, or was cancelled: then nothing is written.
   */
  checkpoint(
    job: { changeId: number; owner: string; phase: 'apply' | 'undo' },
    step: {
      cursor: RegroupCursor;
      pairs: readonly HashPair[];
      eventsSeen: number;
      eventsTotal: number;
      leaseMs: number;
    },
    nowMs: number,
  ): Promise<boolean>;
  /**
   * One transaction: what `plan` makes of the round's pairs becomes true in the hash index, in issues and counters, and the
   * rules count (in the first round). The cursor goes on to moving rows. False as `checkpoint`.
   */
  applyRound(
    job: { changeId: number; owner: string; phase: 'apply' | 'undo' },
    cursor: RegroupCursor,
    plan: (pairs: readonly HashPair[], index: HashIndex) => RegroupPlan,
    nowMs: number,
  ): Promise<boolean>;
  /** Pairs of a round whose events get another hash, or of all rounds of a phase. */
  listSplits(changeId: number, phase: 'apply' | 'undo', round: number | null): Promise<readonly HashPair[]>;
  /** The last step: the change is done, or undone. False as `checkpoint`. */
  finish(job: { changeId: number; owner: string; phase: 'apply' | 'undo' }, nowMs: number): Promise<boolean>;
  /** Gives the job back, for anybody to go on with. `error` says why, null when it was stopped. */
  release(changeId: number, owner: string, error: string | null): Promise<void>;
  /** Changes that were made before the moment and are not under way. */
  listOld(beforeMs: number, limit: number): Promise<readonly number[]>;
  /** They cannot be undone any more: what was kept for that goes. */
  forget(changeIds: readonly number[]): Promise<void>;

  /** Where an issue went that is no more; null when none of this name was there. */
  findRedirect(
    organizationId: number,
    name: { issueId: number } | { shortId: string },
  ): Promise<number | null>;
}

export type IssueHash = {
  hash: string;
  timesSeen: number;
  /** Milliseconds since the epoch; null for a hash that no event is stored with. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** The issue that a merge brought it from; null when it was the issue's from the beginning. */
  mergedFrom: { issueId: number; shortId: string } | null;
};
