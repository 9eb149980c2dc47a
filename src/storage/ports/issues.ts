import type { EventMetadata, EventType, Level } from '#protocol/event.ts';
import type {
  Archive,
  ArchiveCondition,
  IssueLifeStore,
  IssuePriority,
  PriorityState,
  Resolution,
  ResolutionChoice,
} from './issue-states.ts';
import type { GroupingKey, IssueExpression } from './search.ts';

export const ISSUE_STATUSES = ['unresolved', 'resolved', 'archived'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const ISSUE_SUBSTATUSES = [
  'new',
  'ongoing',
  'escalating',
  'regressed',
  'archived_until_escalating',
  'archived_until_condition_met',
  'archived_forever',
] as const;
export type IssueSubstatus = (typeof ISSUE_SUBSTATUSES)[number];

/** Where an issue stands in its life: what undo puts back. */
export type LifeState = {
  status: IssueStatus;
  /** null when resolved. */
  substatus: IssueSubstatus | null;
  /** Since when it is so (milliseconds since the epoch); null for what it was from its first event. */
  substatusAt: number | null;
  /** null unless resolved; so is the resolution. */
  resolvedAt: number | null;
  resolution: Resolution | null;
  /** null unless archived. */
  archive: Archive | null;
};

export type Issue = LifeState &
  PriorityState & {
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
    /** Milliseconds since the epoch. */
    firstSeen: number;
    lastSeen: number;
    /** Exact: duplicates and replays are not counted. */
    timesSeen: number;
    assignee: { userId: string; name: string; email: string } | null;
    /** An issue belongs to a person, to a team, or to nobody: never to both. */
    assigneeTeam: { teamId: number; slug: string; name: string } | null;
    firstRelease: string | null;
    lastRelease: string | null;
  };

export const ISSUE_SORTS = ['date', 'new', 'freq', 'user'] as const;
/** `date` last seen, `new` first seen, `freq` events. */
export type IssueSort = Exclude<(typeof ISSUE_SORTS)[number], 'user'>;

/** Opaque to callers: where the page before ended. */
export type IssueCursor = { sortValue: number; id: number };

export type IssuePage = { issues: readonly Issue[]; next: IssueCursor | null };

export type IssueChange = {
  status?: IssueStatus;
  substatus?: IssueSubstatus | null;
  /** With the status `resolved`; absent for now. */
  resolution?: ResolutionChoice;
  /** With the status `archived`; absent for what the substatus says, else until escalating. */
  archive?: ArchiveCondition;
  /** A person's choice: from then on it follows nothing. */
  priority?: IssuePriority;
  /** null unassigns. A person takes the place of a team, and the other way round. */
  assigneeUserId?: string | null;
  /** Not together with `assigneeUserId`. null unassigns. */
  assigneeTeamId?: number | null;
};

/** A former state; who archived the issue then is looked up, and never taken from whoever undoes. */
export type FormerLife = Omit<LifeState, 'archive'> & { archive: Omit<Archive, 'userId'> | null };

/** The part of an issue that an undo puts back, for each issue as it was. */
export type IssueRestoration =
  | { part: 'life'; entries: readonly (FormerLife & { issueId: number })[] }
  | { part: 'priority'; entries: readonly (PriorityState & { issueId: number })[] }
  | {
      part: 'assignee';
      entries: readonly { issueId: number; assigneeUserId: string | null; assigneeTeamId: number | null }[];
    };

export type ActivityType =
  | 'first_seen'
  | 'set_resolved'
  | 'set_resolved_in_release'
  | 'set_resolved_in_commit'
  | 'set_unresolved'
  | 'set_archived'
  | 'set_regression'
  | 'set_escalating'
  | 'set_priority'
  | 'assigned'
  | 'unassigned'
  | 'auto_set_ongoing'
  | 'note'
  | 'linked'
  | 'unlinked'
  | 'shared'
  | 'unshared'
  | 'merge'
  | 'unmerge_source'
  | 'unmerge_destination';

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
export interface IssueStore extends IssueLifeStore {
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
