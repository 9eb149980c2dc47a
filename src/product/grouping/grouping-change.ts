import type { HashPair, RegroupCursor } from '#storage/ports/regroup-events.ts';

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

export type RegroupJob = {
  change: GroupingChange;
  phase: 'apply' | 'undo';
  /** null when nothing was begun in this phase. */
  cursor: RegroupCursor | null;
  /** The rules to group by. */
  rules: { fingerprint: string; stackTrace: string };
};

export type IssueHash = {
  hash: string;
  timesSeen: number;
  /** Milliseconds since the epoch; null for a hash that no event is stored with. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** The issue that a merge brought it from; null when it was the issue's from the beginning. */
  mergedFrom: { issueId: number; shortId: string } | null;
};

/** The hash index of the issues concerned, before a plan is made. */
export type HashIndex = {
  /** The issue of each hash that is known, of all hashes of the issues concerned. */
  issueOf: ReadonlyMap<string, number>;
  /** How many events were counted under each; without those that none was. */
  counted: ReadonlyMap<string, number>;
  /** The hash that events have which are stored with this one, since an earlier regroup; else they have it themselves. */
  standsFor: ReadonlyMap<string, string>;
  /** Successors that an earlier round of the same change decided. */
  decided: ReadonlyMap<string, string>;
  /** Heirs that an earlier round saw most events of a hash go to. */
  heirs: ReadonlyMap<string, string>;
};

/** An issue that is there, or one to be made for the hash `key` from what the issue `from` is. */
export type PlanTarget = { kind: 'issue'; issueId: number } | { kind: 'new'; key: string; from: number };

export type RegroupPlan = {
  /** The hash that takes the place of each old one in the index; its events stay stored as they are. */
  successors: ReadonlyMap<string, string>;
  /** Hashes whose issue changes, or that are new to the index. */
  moves: readonly { hash: string; target: PlanTarget }[];
  /** Issues that no hash leads to any more. */
  dissolved: readonly { issueId: number; into: PlanTarget }[];
  /** Events that get another hash: all others only have another issue. */
  splits: readonly HashPair[];
  /** Title of each issue that is touched, by its newest event and the new rules. */
  titles: readonly { target: PlanTarget; title: string; lastSeen: number }[];
};

/** The two texts of a project's grouping rules, in Sentry's languages. Both empty for a project without rules. */
export type GroupingRuleTexts = { fingerprint: string; stackTrace: string };

export type GroupingRulesVersion = GroupingRuleTexts & {
  /** From 1 on. */
  version: number;
  /** null when the account is gone, or the system did it. */
  author: { userId: string; name: string } | null;
  /** The version whose texts were taken again; null for texts that were written. */
  restoredFrom: number | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Since when new events follow it; null while it waits for its regroup, and for one that was cancelled. */
  activatedAt: number | null;
};

/** Which rules digest follows: version 0 and empty texts for a project that has none. */
export type ActiveGroupingRules = GroupingRuleTexts & { projectId: number; version: number };

export type NewGroupingRules = GroupingRuleTexts & {
  authorUserId: string | null;
  restoredFrom: number | null;
  /** The version that was edited: what somebody else saved meanwhile is not overwritten unseen. */
  basedOn: number;
};
