import type { EventMetadata, EventType, Level } from '#protocol/event.ts';

export const ISSUE_STATUSES = ['unresolved', 'resolved', 'archived'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const ISSUE_SUBSTATUSES = [
  'new',
  'ongoing',
  'escalating',
  'regressed',
  'archived_until_escalating',
  'archived_forever',
] as const;
export type IssueSubstatus = (typeof ISSUE_SUBSTATUSES)[number];

export type Issue = {
  id: number;
  organizationId: number;
  projectId: number;
  projectSlug: string;
  /** For example `WEB-3F`. */
  shortId: string;
  title: string;
  culprit: string;
  level: Level;
  platform: string;
  type: EventType;
  metadata: EventMetadata;
  logger: string | null;
  status: IssueStatus;
  /** null when resolved. */
  substatus: IssueSubstatus | null;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  /** Exact: duplicates and replays are not counted. */
  timesSeen: number;
  assignee: { userId: string; name: string; email: string } | null;
  /** Milliseconds since the epoch; null unless resolved. */
  resolvedAt: number | null;
  firstRelease: string | null;
  lastRelease: string | null;
};

export const ISSUE_SORTS = ['date', 'new', 'freq', 'user'] as const;
/** `date` last seen, `new` first seen, `freq` events. */
export type IssueSort = Exclude<(typeof ISSUE_SORTS)[number], 'user'>;

/**
 * What a search box says, parsed. An issue matches when every non-empty list is satisfied: one value of the list is
 * enough, except `text`, of which each entry must occur. An issue that satisfies any value in `negated` does not match.
 */
export type IssueFilter = {
  statuses: readonly IssueStatus[];
  substatuses: readonly IssueSubstatus[];
  levels: readonly Level[];
  /** User ids; 'none' means unassigned. */
  assignees: readonly (string | 'none')[];
  /** Each word or phrase must occur in title, culprit, message, type or short id. */
  text: readonly string[];
  /** Exact versions: the issue was seen in one of them. */
  releases: readonly string[];
  /** Exception types (`metadata.type`), for example `TypeError`; upper and lower case are the same. */
  types: readonly string[];
  negated: {
    levels: readonly Level[];
    statuses: readonly IssueStatus[];
    substatuses: readonly IssueSubstatus[];
    /** As above: 'none' here means that the issue must be assigned. */
    assignees: readonly (string | 'none')[];
    text: readonly string[];
  };
  /** Half-open, on lastSeen (milliseconds); null for any time. */
  seen: { fromMs: number; toMs: number } | null;
};

/** Opaque to callers: where the page before ended. */
export type IssueCursor = { sortValue: number; id: number };

export type IssuePage = { issues: readonly Issue[]; next: IssueCursor | null };

export type IssueChange = {
  status?: IssueStatus;
  substatus?: IssueSubstatus | null;
  /** null unassigns. */
  assigneeUserId?: string | null;
};

export type ActivityType =
  | 'first_seen'
  | 'set_resolved'
  | 'set_unresolved'
  | 'set_archived'
  | 'set_regression'
  | 'assigned'
  | 'unassigned'
  | 'auto_set_ongoing';

export type Activity = {
  id: number;
  issueId: number;
  type: ActivityType;
  /** null when the system did it. */
  user: { id: string; name: string } | null;
  data: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  at: number;
};

/** Issues and what people do to them. Source: PostgreSQL. Every call is scoped by organization. */
export interface IssueStore {
  search(
    organizationId: number,
    projectIds: readonly number[],
    filter: IssueFilter,
    options: { sort: IssueSort; limit: number; after: IssueCursor | null },
  ): Promise<IssuePage>;
  /** Number of issues that match, counted up to `max`. */
  count(
    organizationId: number,
    projectIds: readonly number[],
    filter: IssueFilter,
    max: number,
  ): Promise<number>;
  /** In no promised order; ids of other organizations are left out. */
  findByIds(organizationId: number, issueIds: readonly number[]): Promise<readonly Issue[]>;
  /** null when the organization has no such issue. Upper and lower case are the same. */
  findByShortId(organizationId: number, shortId: string): Promise<Issue | null>;
  /** The issue that a grouping hash of a project belongs to; null when unknown. */
  findByHash(organizationId: number, projectId: number, hash: string): Promise<Issue | null>;
  /** Grouping hashes per issue. */
  listHashes(
    organizationId: number,
    issueIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly string[]>>;
  /**
   * Applies the change to each issue and writes one activity per real change, in one transaction.
   * Answers the issues as they were before (for undo); issues of other organizations are left out.
   */
  update(
    organizationId: number,
    issueIds: readonly number[],
    change: IssueChange,
    actorUserId: string | null,
    atMs: number,
  ): Promise<readonly Issue[]>;
  /** Newest first. */
  listActivity(organizationId: number, issueId: number, limit: number): Promise<readonly Activity[]>;
  /** New issues older than `beforeMs` become ongoing; answers how many. At most `limit` per call. */
  ageNewIssues(beforeMs: number, limit: number): Promise<number>;
}
