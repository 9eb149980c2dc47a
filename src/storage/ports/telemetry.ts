import type {
  DigestedAttachment,
  DigestedCheckIn,
  DigestedFeedback,
  DigestedProfile,
  DigestedReplay,
  DigestedReplaySegment,
  DigestedSpan,
  TelemetryKind,
  TelemetryOrigin,
  TelemetryRows,
} from '#protocol/telemetry.ts';
import type { EventFilter, EventScope, EventSummary, IssueEvents, TimeRange } from './events.ts';
import type { EventExpression } from './search.ts';

/** A row with the moment that lists are ordered by. */
export type TelemetryPage<Kind extends TelemetryKind> = {
  rows: readonly TelemetryRows[Kind][number][];
  /** Where the next page begins; null at the end. */
  next: TelemetryCursor | null;
};

/** Rows before this moment (in the unit of the table's own clock), or at it with a smaller id. */
export type TelemetryCursor = { at: number; id: string };

export type TelemetryQuery = {
  limit: number;
  before: TelemetryCursor | null;
  range: TimeRange | null;
  /** Only rows with this value, or one of these, in a column that the kind has; unknown names match nothing. */
  filter?: Partial<Record<TelemetryFilter, string | readonly string[]>>;
  /** Only rows whose name or text contains this, ignoring case; kinds without one match nothing. */
  text?: string;
};

export type TelemetryFilter =
  | 'traceId'
  | 'eventId'
  | 'replayId'
  | 'monitorSlug'
  | 'associatedEventId'
  | 'transactionId'
  | 'name'
  | 'level'
  | 'release'
  | 'environment'
  | 'profilerId';

/** Telemetry, each row stored once however often it is inserted, read back deduplicated. Source: ClickHouse. */
export interface TelemetryStore extends TelemetrySummaries {
  /**
   * Writes what is there, table by table; durable when it resolves. May be sent again, whole or cut differently: rows
   * with the same identity replace each other. Throws ErrataError 'unavailable' when the store does not answer.
   */
  insert(rows: Partial<TelemetryRows>, token: string): Promise<void>;
  /** Newest first. */
  list<Kind extends TelemetryKind>(
    kind: Kind,
    scope: EventScope,
    query: TelemetryQuery,
  ): Promise<TelemetryPage<Kind>>;
  /**
   * null when the scope holds no such row; the id is the kind's own (event id, check-in id, attachment id …). Of several
   * rows with the id, such as the updates of a session, the one that counts.
   */
  find<Kind extends TelemetryKind>(
    kind: Kind,
    scope: EventScope,
    id: string,
  ): Promise<TelemetryRows[Kind][number] | null>;
  /** By name. */
  listEventAttachments(scope: EventScope, eventId: string): Promise<readonly DigestedAttachment[]>;
  /** What people said about an event, newest first, at most 20. */
  listEventFeedback(scope: EventScope, eventId: string): Promise<readonly DigestedFeedback[]>;
  /** Some of the profiles that match, spread evenly over all of them, and how many there are. */
  sampleProfiles(
    scope: EventScope,
    query: ProfileQuery & { limit: number },
  ): Promise<{ rows: readonly DigestedProfile[]; total: number }>;
  /** Some of the transactions that match and during which a continuous profiler ran, spread evenly, and how many there are. */
  sampleProfiledTransactions(
    scope: EventScope,
    query: ProfileQuery & { transaction: string; limit: number },
  ): Promise<{ rows: readonly ProfiledTransaction[]; total: number }>;
  /** Chunks of profilers that began in one of these stretches, at most `limit`, spread evenly over all. */
  sampleChunks(
    scope: EventScope,
    query: { stretches: readonly ({ profilerId: string } & TimeRange)[]; limit: number },
  ): Promise<readonly DigestedProfile[]>;
  /** The releases whose profiles match, the one that was profiled first last, at most `limit`; null for no release. With a transaction, those of its continuous profiles too. */
  listProfiledReleases(
    scope: EventScope,
    query: ProfileQuery & { limit: number },
  ): Promise<readonly ProfiledRelease[]>;
  /** By segment. */
  listReplaySegments(scope: EventScope, replayId: string): Promise<readonly DigestedReplaySegment[]>;
  /** Every row of a replay, not its blobs. May be repeated; nothing is left when it resolves. */
  deleteReplay(replay: { organizationId: number; projectId: number; replayId: string }): Promise<void>;
}

/** Which profiles are meant. */
export type ProfileQuery = {
  range: TimeRange;
  /** Exactly; null for profiles of any transaction, and of none. */
  transaction: string | null;
  /** Empty for all. */
  environments: readonly string[];
  /** Exactly; null for profiles of any release, and of none. */
  release: string | null;
};

/** A transaction during which a continuous profiler ran. */
export type ProfiledTransaction = {
  projectId: number;
  /** 32 lower-case hex digits. */
  profilerId: string;
  /** The thread that it ran on; null when it does not say. */
  threadId: string | null;
  /** Microseconds since the epoch. */
  startedAtUs: number;
  endedAtUs: number;
};

export type ProfiledRelease = {
  release: string | null;
  profiles: number;
  /** Milliseconds since the epoch: when its oldest profile began. */
  oldestAt: number;
};

/** Everything known of a trace, oldest first, each list up to a bound. */
export type TraceContents = {
  spans: readonly DigestedSpan[];
  hasMoreSpans: boolean;
  errors: readonly EventSummary[];
  hasMoreErrors: boolean;
};

/** What a waterfall shows of a span. */
export type SpanOutline = Pick<
  DigestedSpan,
  | 'projectId'
  | 'spanId'
  | 'parentSpanId'
  | 'isSegment'
  | 'op'
  | 'name'
  | 'status'
  | 'kind'
  | 'startedAtUs'
  | 'durationUs'
>;

/** As `TraceContents`, without what a waterfall does not show. */
export type TraceOutline = Omit<TraceContents, 'spans' | 'errors'> & {
  spans: readonly SpanOutline[];
  /** Each with the span in which it happened; null when it does not say. */
  errors: readonly (EventSummary & { spanId: string | null })[];
};

/** What a trace consists of, counted exactly. */
export type TraceCounts = {
  spans: number;
  errors: number;
  logs: number;
  metrics: number;
  /** The operations with the most spans, the most frequent first. */
  operations: readonly { op: string; spans: number }[];
  /** The transactions with the most spans, the largest first. */
  transactions: readonly { eventId: string; spans: number }[];
};

/** A check-in with all its updates put together. */
export type CheckInSummary = Pick<
  DigestedCheckIn,
  | 'projectId'
  | 'checkInId'
  | 'monitorSlug'
  | 'environment'
  | 'status'
  | 'durationMs'
  | 'traceId'
  | 'monitorConfig'
> & {
  /** Milliseconds since the epoch: of the first update, and of the last. */
  startedAt: number;
  updatedAt: number;
};

/** Check-ins of a monitor and environment with one status that began in a bucket. */
export type CheckInCount = {
  projectId: number;
  monitorSlug: string;
  environment: string;
  /** From 0 on. */
  bucket: number;
  status: DigestedCheckIn['status'];
  count: number;
  /** How many said how long they took, and how long together, in milliseconds. */
  timed: number;
  durationMs: number;
};

/** A replay with all its segments put together. */
export type ReplaySummary = Omit<
  DigestedReplay,
  keyof TelemetryOrigin | 'segmentId' | 'startedAt' | 'occurredAt' | 'release' | 'payload'
> & {
  projectId: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt: number;
  /** How many; the addresses are in their order. */
  segments: number;
  releases: readonly string[];
  deadClicks: number;
  rageClicks: number;
};

/** What a list of replays is ordered by, the largest first. */
export const REPLAY_SORTS = ['started', 'duration', 'errors', 'rageClicks', 'deadClicks'] as const;
export type ReplaySort = (typeof REPLAY_SORTS)[number];

/** Which replays are meant: those that meet all of it. */
export type ReplayFilter = {
  /** Part of a URL, of a user or of the browser's name, ignoring case; or the ID. Empty for any. */
  text: string;
  /** Empty for all. */
  environments: readonly string[];
  /** Only those that have some of it. */
  having: readonly ('errors' | 'rageClicks' | 'deadClicks')[];
  durationMsMin: number;
};

/** How the sessions of a release went, that began in a range. */
export type ReleaseHealth = {
  projectId: number;
  release: string;
  /** By how they ended; what goes on still counts as exited. */
  exited: number;
  errored: number;
  crashed: number;
  abnormal: number;
  unhandled: number;
  /** Distinct users, and those of them that had a crash. */
  users: number;
  crashedUsers: number;
};

export const SESSION_KEYS = ['project', 'release', 'environment'] as const;
export type SessionKey = (typeof SESSION_KEYS)[number];

/** How sessions that have their keys in common went. */
export type SessionGroup = Omit<ReleaseHealth, 'projectId' | 'release'> & {
  /** In the order of the grouping; projects by number. */
  keys: readonly string[];
  /** Of the buckets that were asked for; 0 when none were. */
  bucket: number;
  /** Distinct users who had the app hang, and those who had it hang before their eyes. */
  hungUsers: number;
  hungForegroundUsers: number;
  /** Of them those that an SDK counted itself, in buckets: they have no durations. */
  aggregated: number;
  /** How long sessions that ended as usual took, in seconds; null when none of them says. */
  durations: SessionDurations | null;
};

export type SessionDurations = Readonly<
  Record<'avg' | 'max' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99', number>
>;

/** What is put together from many rows. Source: ClickHouse. */
export interface TelemetrySummaries {
  findTrace(
    scope: EventScope,
    traceId: string,
    limits: { spans: number; errors: number },
  ): Promise<TraceContents>;
  /** Names of spans are cut at 500 characters. */
  outlineTrace(
    scope: EventScope,
    traceId: string,
    limits: { spans: number; errors: number },
  ): Promise<TraceOutline>;
  /** null when the scope holds no such span. */
  findSpan(scope: EventScope, traceId: string, spanId: string): Promise<DigestedSpan | null>;
  /** `max` bounds both lists. */
  countTrace(scope: EventScope, traceId: string, max: number): Promise<TraceCounts>;
  /** The newest begun first; of one monitor or of all. */
  listCheckIns(
    scope: EventScope,
    query: {
      monitorSlug: string | null;
      /** Of any of them; empty for all. */
      environments?: readonly string[];
      limit: number;
      before: TelemetryCursor | null;
      range: TimeRange | null;
    },
  ): Promise<SummaryPage<CheckInSummary>>;
  /**
   * How many began in each bucket, from the beginning of the range on, by their status; those that were sent without an id
   * count once they have ended.
   */
  countCheckIns(
    scope: EventScope,
    query: {
      monitors: readonly { projectId: number; slug: string }[];
      range: TimeRange;
      bucketMs: number;
    },
  ): Promise<readonly CheckInCount[]>;
  /** In the order of `sort`, without one the newest begun first. A cursor continues a list of the same order. */
  listReplays(
    scope: EventScope,
    query: {
      limit: number;
      before: TelemetryCursor | null;
      range: TimeRange | null;
      filter?: ReplayFilter;
      sort?: ReplaySort;
    },
  ): Promise<SummaryPage<ReplaySummary>>;
  /** Ids of the replays that recorded an error of the issue, the newest first, at most `limit`. */
  listIssueReplays(scope: EventScope, issue: IssueEvents, limit: number): Promise<readonly string[]>;
  /** Those of the events that are stored, oldest first, at most 500. */
  listReplayErrors(scope: EventScope, errorIds: readonly string[]): Promise<readonly EventSummary[]>;
  /** null when the scope holds no such replay. */
  findReplay(scope: EventScope, replayId: string): Promise<ReplaySummary | null>;
  /**
   * Of each session the last update counts, however often and in whichever order updates came. Most sessions first, at
   * most `limit` rows; of these releases, null for all; of one of the environments unless none is given.
   */
  countReleaseHealth(
    scope: EventScope,
    query: {
      range: TimeRange;
      environments: readonly string[];
      releases: readonly string[] | null;
      limit: number;
    },
  ): Promise<readonly ReleaseHealth[]>;
  /**
   * As `countReleaseHealth`, by any keys, in one bucket or over time from the beginning of the range on. `groups`, if
   * given, are the only keys that are counted. Most sessions first, at most `limit` rows.
   */
  countSessions(
    scope: EventScope,
    query: {
      range: TimeRange;
      /** Knows release, environment and project. */
      expression: EventExpression;
      groupBy: readonly SessionKey[];
      groups: readonly (readonly string[])[] | null;
      bucketMs: number | null;
      limit: number;
    },
  ): Promise<readonly SessionGroup[]>;
  /** Sessions of all releases by the number of the project, counted as `countReleaseHealth` does; none are left out. */
  countProjectSessions(
    scope: EventScope,
    query: { range: TimeRange; environments: readonly string[] },
  ): Promise<ReadonlyMap<number, number>>;
  /** Feedback about the events of an issue that the filter leaves, newest first. */
  listIssueFeedback(
    scope: EventScope,
    issue: IssueEvents,
    query: IssueTelemetryQuery,
  ): Promise<TelemetryPage<'feedback'>>;
  /** Attachments of the events of an issue that the filter leaves, the last to arrive first. */
  listIssueAttachments(
    scope: EventScope,
    issue: IssueEvents,
    query: IssueTelemetryQuery,
  ): Promise<TelemetryPage<'attachments'>>;
}

export type IssueTelemetryQuery = { limit: number; before: TelemetryCursor | null; filter?: EventFilter };

export type SummaryPage<Row> = { rows: readonly Row[]; next: TelemetryCursor | null };
