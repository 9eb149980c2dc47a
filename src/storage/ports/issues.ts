import type {
  Activity,
  Archive,
  Issue,
  IssueChange,
  IssueRestoration,
  UnarchiveReason,
} from '#domain/issues/issue.ts';
import type { GroupingKey, IssueExpression } from './search.ts';

export const ISSUE_SORTS = ['date', 'new', 'freq', 'user'] as const;
/** `date` last seen, `new` first seen, `freq` events. */
export type IssueSort = Exclude<(typeof ISSUE_SORTS)[number], 'user'>;

/** Opaque to callers: where the page before ended. */
export type IssueCursor = { sortValue: number; id: number };

export type IssuePage = { issues: readonly Issue[]; next: IssueCursor | null };

/** Issues and what people do to them. Source: PostgreSQL. Every call is scoped by organization. */
export interface IssueStore extends IssueTransitionStore {
  /** Of the short ids, which are in capitals, those that there are. */
  findIdsByShortIds(
    organizationId: number,
    shortIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Throws Invalid when it takes longer than a search may. */
  search(
    organizationId: number,
    projectIds: readonly number[],
    expression: IssueExpression,
    options: { sort: IssueSort; limit: number; after: IssueCursor | null },
  ): Promise<IssuePage>;
  /** Number of issues that match, counted up to `max`. */
  count(
    organizationId: number,
    projectIds: readonly number[],
    expression: IssueExpression,
    max: number,
  ): Promise<number>;
  /** In no promised order; ids of other organizations are left out. */
  findByIds(organizationId: number, issueIds: readonly number[]): Promise<readonly Issue[]>;
  /** null when the organization has no such issue. Upper and lower case are the same. */
  findByShortId(organizationId: number, shortId: string): Promise<Issue | null>;
  /** The issue that a grouping hash of a project belongs to; null when unknown. */
  findByHash(organizationId: number, projectId: number, hash: string): Promise<Issue | null>;
  /** Short ids of the issues that hold the hashes, by `projectId:hash`; hashes without an issue are left out. */
  findShortIds(organizationId: number, hashes: readonly GroupingKey[]): Promise<ReadonlyMap<string, string>>;
  /** Grouping hashes per issue. */
  listHashes(
    organizationId: number,
    issueIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly string[]>>;
  /**
   * Applies the change to each issue and writes one activity per real change, in one transaction.
   * Answers the issues as they were before (for undo); issues of other organizations are left out. Throws Invalid for a
   * resolution in a release that the project of an issue has not seen.
   */
  update(
    organizationId: number,
    issueIds: readonly number[],
    change: IssueChange,
    actorUserId: string | null,
    atMs: number,
  ): Promise<readonly Issue[]>;
  /** Puts a part of each issue back to what it was, with an activity where that changes something. As `update`. */
  restore(
    organizationId: number,
    restoration: IssueRestoration,
    actorUserId: string | null,
    atMs: number,
  ): Promise<void>;
  /** Newest first. */
  listActivity(organizationId: number, issueId: number, limit: number): Promise<readonly Activity[]>;
}

/** An archived issue that goes on happening, with what decides whether it comes back. */
export type WatchedIssue = {
  issueId: number;
  organizationId: number;
  projectId: number;
  archive: Archive;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  timesSeen: number;
  hashes: readonly string[];
};

/** What time and counts do to issues; part of the store of issues. Source: PostgreSQL. */
export interface IssueTransitionStore {
  /** New issues older than `beforeMs` become ongoing; answers how many. At most `limit` per call. */
  ageNewIssues(beforeMs: number, limit: number): Promise<number>;
  /** Regressed and escalating issues that are so since before `beforeMs` become ongoing, as above. */
  settleIssues(beforeMs: number, nowMs: number, limit: number): Promise<number>;
  /** Issues archived until a date that has come are ongoing again, as above. */
  unarchiveDueIssues(nowMs: number, limit: number): Promise<number>;
  /**
   * Archived issues that happened since `seenSinceMs` and whose condition is looked up in their events, by id after
   * `afterId`: with windows and users always, until escalating only while they have no forecast for `hourEndMs`.
   */
  listWatched(
    seenSinceMs: number,
    hourEndMs: number,
    afterId: number,
    limit: number,
  ): Promise<readonly WatchedIssue[]>;
  /** Until `beforeMs`, the issue escalates with the event that makes `remaining` more than it has now. */
  setForecasts(
    entries: readonly { issueId: number; remaining: number; forecast: number; beforeMs: number }[],
  ): Promise<void>;
  /** Brings issues back as escalating, unless somebody changed them since they were archived at `archivedAt`. */
  escalateIssues(
    entries: readonly { issueId: number; archivedAt: number; reason: UnarchiveReason }[],
    nowMs: number,
  ): Promise<number>;
}
