import type { EventMetadata, EventType, Level } from '#protocol/event.ts';

export const ISSUE_STATUSES = ['unresolved', 'resolved', 'archived'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** The substatuses of each status; a resolved issue has none. */
export const SUBSTATUSES = {
  unresolved: ['new', 'ongoing', 'escalating', 'regressed'],
  resolved: [],
  archived: ['archived_until_escalating', 'archived_until_condition_met', 'archived_forever'],
} as const satisfies Readonly<Record<IssueStatus, readonly string[]>>;
export type IssueSubstatus = (typeof SUBSTATUSES)[IssueStatus][number];
export const ISSUE_SUBSTATUSES: readonly IssueSubstatus[] = Object.values(SUBSTATUSES).flat();

export const isSubstatusOf = (status: IssueStatus, substatus: IssueSubstatus): boolean =>
  SUBSTATUSES[status].some((possible) => possible === substatus);

export const ISSUE_PRIORITIES = ['high', 'medium', 'low'] as const;
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];

/** How an issue was resolved. */
export type Resolution =
  | { kind: 'now' }
  /** `after` was the newest release of the issue's package when it was resolved: the next one is newer. */
  | { kind: 'next_release'; after: string }
  /** It is fixed in that release: an event of an older one is no regression. */
  | { kind: 'release'; release: string }
  /** It is fixed by that commit: until a release holds it, no event is a regression. */
  | { kind: 'commit'; repository: string; commit: string };

/** How a person asks for it. Of `release`, null means the newest one of the issue's package. */
export type ResolutionChoice =
  | { kind: 'now' }
  | { kind: 'next_release' }
  | { kind: 'release'; release: string | null }
  | { kind: 'commit'; repository: string; commit: string };

/** What brings an archived issue back. Windows are minutes; null counts since it was archived. */
export type ArchiveCondition =
  | { kind: 'escalating' }
  | { kind: 'forever' }
  /** Milliseconds since the epoch. */
  | { kind: 'date'; untilMs: number }
  | { kind: 'events'; count: number; windowMinutes: number | null }
  /** Without a window: users whom it had not happened to before. */
  | { kind: 'users'; count: number; windowMinutes: number | null };

export type Archive = {
  condition: ArchiveCondition;
  /** Milliseconds since the epoch; 0 when it was archived before this was kept. */
  archivedAt: number;
  /** Events of the issue at that time. */
  timesSeen: number;
  /** null when the system did it, or before this was kept. */
  userId: string | null;
  /** Until escalating: the events expected in the hour that was looked at last; absent until it was. */
  forecast?: number;
};

export type PriorityState = {
  priority: IssuePriority;
  /** Since when it is a person's choice (milliseconds); null while it follows level and substatus. */
  priorityLockedAt: number | null;
};

/** Why an archived issue came back; kept with the activity. */
export type UnarchiveReason =
  | { kind: 'date' }
  | { kind: 'events' | 'users'; count: number; windowMinutes: number | null }
  /** More events in the hour than expected. */
  | { kind: 'forecast'; events: number; forecast: number };

/** The status of an issue with all that belongs to it: what undo puts back. */
export type StatusState = {
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

export const statusStateOf = ({
  status,
  substatus,
  substatusAt,
  resolvedAt,
  resolution,
  archive,
}: StatusState): StatusState => ({ status, substatus, substatusAt, resolvedAt, resolution, archive });

export type Issue = StatusState &
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
export type FormerStatus = Omit<StatusState, 'archive'> & { archive: Omit<Archive, 'userId'> | null };

/** The part of an issue that an undo puts back, for each issue as it was. */
export type IssueRestoration =
  | { part: 'status'; entries: readonly (FormerStatus & { issueId: number })[] }
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
  | 'reply'
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

/** `date` last seen, `new` first seen, `freq` events, `user` users, `trends` what grows most; priorities high first. */
export const ISSUE_SORTS = ['date', 'new', 'trends', 'freq', 'user', 'priority'] as const;
export type IssueSort = (typeof ISSUE_SORTS)[number];
