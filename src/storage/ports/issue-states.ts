export const ISSUE_PRIORITIES = ['high', 'medium', 'low'] as const;
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];

/** How an issue was resolved. */
export type Resolution =
  | { kind: 'now' }
  /** `after` is the newest release of its project when it was resolved: the next one is newer. */
  | { kind: 'next_release'; after: string }
  /** It is fixed in that release: an event of an older one tells nothing new. */
  | { kind: 'release'; release: string }
  /** It is fixed by that commit: until a release holds it, no event tells something new. */
  | { kind: 'commit'; repository: string; commit: string };

/** How a person asks for it. Of `release`, null means the newest one of the issue's project. */
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

/** Why an archived issue came back; kept with the activity. */
export type ReturnReason =
  | { kind: 'date' }
  | { kind: 'events' | 'users'; count: number; windowMinutes: number | null }
  /** More events in the hour than expected. */
  | { kind: 'forecast'; events: number; forecast: number };

/** What time and counts do to issues; part of the store of issues. Source: PostgreSQL. */
export interface IssueLifeStore {
  /** New issues older than `beforeMs` become ongoing; answers how many. At most `limit` per call. */
  ageNewIssues(beforeMs: number, limit: number): Promise<number>;
  /** Regressed and escalating issues that are so since before `beforeMs` become ongoing, as above. */
  settleIssues(beforeMs: number, nowMs: number, limit: number): Promise<number>;
  /** Issues archived until a date that has come are ongoing again, as above. */
  returnDueIssues(nowMs: number, limit: number): Promise<number>;
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
    entries: readonly { issueId: number; archivedAt: number; reason: ReturnReason }[],
    nowMs: number,
  ): Promise<number>;
}
