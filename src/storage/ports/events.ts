import type { DigestedEvent, Level, NormalizedEvent } from '#protocol/event.ts';
import type {
  EventExpression,
  EventField,
  EventList,
  EventNumberList,
  GroupingKey,
  MatchingHashes,
} from './search.ts';

/** Every read names the organization and the projects it may see; an empty list of projects sees nothing. */
export type EventScope = { organizationId: number; projectIds: readonly number[] };

/** What an event is searched by, beside its own columns. */
export type SearchColumns = {
  /** Values of each list, each once. */
  lists: Readonly<Record<EventList, readonly string[]>>;
  numbers: Readonly<Record<EventNumberList, readonly number[]>>;
  /** An exception says that nobody caught it. */
  isUnhandled: boolean;
  isInApp: boolean;
  attributes: readonly (readonly [string, string])[];
};

/** The row of an event as the store takes it, written ahead in the thread that understood the event. */
export type WrittenEvent = {
  row: Uint8Array;
  /** Where in the row the payload lies, in JSON: it is left out when the event may not keep its body. */
  payload: { from: number; to: number };
  columns: SearchColumns;
};

/** Figures of an event in `WrittenEvents.places`. */
export const PLACES_OF_EVENT = 3;

/** Rows of events that follow each other, to be handed from thread to thread. */
export type WrittenEvents = {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of each event where its payload begins and ends and its row ends, in bytes from the beginning. */
  places: Uint32Array<ArrayBuffer>;
  columns: readonly SearchColumns[];
};

/** An event on its way into the store. Where it was written already, its payload is read out of the row when asked for. */
export type PreparedEvent = DigestedEvent & { readonly written?: WrittenEvent };

/** Half-open, milliseconds since the epoch. */
export type TimeRange = { fromMs: number; toMs: number };

/** Enough of an event to find its row again without a scan. */
export type EventKey = { projectId: number; groupingHash: string; occurredAt: number; eventId: string };

export type EventArrival = { projectId: number; eventId: string; receivedAt: number };

export type EventSummary = {
  eventId: string;
  projectId: number;
  groupingHash: string;
  title: string;
  message: string;
  culprit: string;
  level: Level;
  platform: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  receivedAt: number;
  release: string | null;
  environment: string | null;
  transaction: string | null;
  user: { id: string | null; email: string | null; username: string | null; ip: string | null };
  tags: readonly (readonly [string, string])[];
};

export type StoredEvent = EventSummary & {
  /** True when spike protection left the body out: then the payload is made of the columns, and has no stack. */
  isBodySampled: boolean;
  payload: NormalizedEvent;
};

export type EventListOptions = {
  limit: number;
  /** Continues after the last event of the former page. */
  before: { occurredAt: number; eventId: string } | null;
  range: TimeRange | null;
  /** What the events must satisfy; absent for nothing. */
  expression?: EventExpression;
};

/** Which events of an issue are looked at: those of the range that satisfy the expression. null and absent for all. */
export type EventFilter = Pick<EventListOptions, 'range' | 'expression'>;

export type EventPage = { events: readonly EventSummary[]; hasMore: boolean };

export type TagDistribution = {
  key: string;
  /** Events that carry the tag. */
  total: number;
  distinct: number;
  /**
   * Most frequent first; when the value was seen first and last, in milliseconds since the epoch. Of the tag `user`,
   * `person` is the e-mail address, else the name; absent when neither is known.
   */
  top: readonly { value: string; count: number; firstSeen: number; lastSeen: number; person?: string }[];
};

/** The events of one issue: an issue's hashes, within one project. */
export type IssueEvents = {
  issueId: number;
  projectId: number;
  hashes: readonly string[];
  /** How many events of the issue there were at last, by its own counter; absent where nobody looked. */
  storedEvents?: number;
};

/** What is counted, in buckets. Events of the range outside of the buckets count, and are in none. */
export type CountedRange = TimeRange & {
  /** Where the first bucket begins; the beginning of the range when absent. It covers less of the range when it begins before it. */
  bucketsFromMs?: number;
  /** Where the last bucket ends; the end of the range when absent. */
  bucketsToMs?: number;
};

export type IssueActivity = {
  issueId: number;
  /** Events per bucket, oldest bucket first, zero where there were none. */
  buckets: readonly number[];
  /** Events in the range. */
  events: number;
  /** Distinct users in the range. */
  users: number;
  /** Of the events in the range, in milliseconds since the epoch; null when there are none. */
  firstSeen: number | null;
  lastSeen: number | null;
};

/** What issues are ranked by: `trend` is how many more events the last quarter of the range has than the rest leads to expect. */
export type IssueRanking = 'events' | 'users' | 'trend';

/** The events before and after an event of an issue, of all or of those that a filter leaves. */
export type EventsBeside = {
  /** The next older event; null at the oldest. */
  previousId: string | null;
  /** The next newer event; null at the latest. */
  nextId: string | null;
};

/** Where an event stands among the events of its issue, or among those that a filter leaves. */
export type EventNeighbors = EventsBeside & {
  /** 1-based, oldest first; 0 when the event is not among them. */
  position: number;
  total: number;
};

/** Events, stored once per project and event id, read back deduplicated. Source: ClickHouse. */
export interface EventStore {
  /**
   * Writes all or none, durable when it resolves. The same batch with the same token may be sent again harmlessly.
   * Throws StoreUnavailable when the store does not answer.
   */
  insertEvents(events: readonly PreparedEvent[], token: string): Promise<void>;
  /** Of the given keys, the event ids (`projectId:eventId`) that are stored already. */
  findStored(keys: readonly EventKey[]): Promise<ReadonlySet<string>>;
  /**
   * Of the given events those that are stored, with the grouping hash (by `projectId:eventId`) that each was stored
   * with first: other rules may have counted then, and a regroup may have moved it since.
   */
  findFormerHashes(arrivals: readonly EventArrival[]): Promise<ReadonlyMap<string, string>>;
  /** null when the scope holds no such event. */
  findEvent(scope: EventScope, eventId: string): Promise<StoredEvent | null>;
  /**
   * The oldest or newest event of an issue that the filter leaves; null when there is none (any more). `recommended` is
   * the newest whose body was kept, among the last few hundred, else the newest.
   */
  findEdgeEvent(
    scope: EventScope,
    issue: IssueEvents,
    edge: 'oldest' | 'latest' | 'recommended',
    filter?: EventFilter,
  ): Promise<StoredEvent | null>;
  /**
   * As `findEdgeEvent`, with the events beside it among those that the filter leaves. It has a place among them where they had to
   * be counted: without one, it is the first or the last of all.
   */
  findEdgeBeside(
    scope: EventScope,
    issue: IssueEvents,
    edge: 'oldest' | 'latest' | 'recommended',
    filter?: EventFilter,
  ): Promise<{ event: StoredEvent; beside: EventsBeside | EventNeighbors } | null>;
  /** Neighbors of an event by (time, id) among the events of its issue that the filter leaves. */
  findNeighbors(
    scope: EventScope,
    issue: IssueEvents,
    event: EventKey,
    filter?: EventFilter,
  ): Promise<EventNeighbors>;
  /** Newest first. Throws Invalid when a search takes longer than one may. */
  listIssueEvents(scope: EventScope, issue: IssueEvents, options: EventListOptions): Promise<EventPage>;
  /** As `listIssueEvents`, over all issues of the scope. */
  listEvents(scope: EventScope, options: EventListOptions): Promise<EventPage>;
  /** Events of performance issues that were made of transactions which arrived in the range. */
  countDetected(scope: EventScope, range: TimeRange): Promise<number>;
  /**
   * The grouping hashes of the events that match, at most `max`: those seen last. Throws Invalid when it takes longer
   * than a search may.
   */
  findHashes(
    scope: EventScope,
    expression: EventExpression,
    range: TimeRange | null,
    max: number,
  ): Promise<MatchingHashes>;
  /** Keys of tags, the most frequent first; of a bounded part of the newest events, so not always all. */
  listTagKeys(scope: EventScope, range: TimeRange, limit: number): Promise<readonly string[]>;
  /** Values of a field that contain the text, ignoring case, the most frequent among the matching events first. */
  listFieldValues(
    scope: EventScope,
    field: EventField,
    text: string,
    matching: { range: TimeRange; expression: EventExpression },
    limit: number,
  ): Promise<readonly FieldValue[]>;
  /** One entry per given issue, in the same order; of the events that satisfy the expression, when there is one. */
  countActivity(
    scope: EventScope,
    issues: readonly IssueEvents[],
    range: CountedRange,
    bucketMs: number,
    expression?: EventExpression,
  ): Promise<readonly IssueActivity[]>;
  /**
   * The ids of the issues, highest rank first; those without an event in the range that satisfies the expression are left
   * out. Copies that are not merged yet count twice.
   */
  rankIssues(
    scope: EventScope,
    issues: readonly IssueEvents[],
    range: TimeRange,
    by: IssueRanking,
    expression?: EventExpression,
  ): Promise<readonly number[]>;
  /**
   * The hashes with the most events in the range, the most frequent first. The counts are only good for choosing among
   * them: copies that are not merged yet count twice.
   */
  listFrequentHashes(scope: EventScope, range: TimeRange, limit: number): Promise<readonly GroupingKey[]>;
  /**
   * The most frequent tags of an issue's events in the range, at most `keys` of them with `values` each; of the newest
   * `events` where there are more.
   */
  countTags(
    scope: EventScope,
    issue: IssueEvents,
    range: TimeRange,
    limits: { keys: number; values: number; events: number },
    expression?: EventExpression,
  ): Promise<readonly TagDistribution[]>;
  ping(): Promise<void>;
}

/** `events` have the value; null when there are too many to count while somebody types. */
export type FieldValue = { value: string; events: number | null };

export type TagValue = {
  value: string;
  /** Events that carry it. */
  count: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
};

export type TagValues = {
  key: string;
  /** Events that carry the tag. */
  total: number;
  distinct: number;
  values: readonly TagValue[];
};

/** What the events of an issue carry under one key. Source: ClickHouse. */
export interface IssueTagStore {
  /** Of the newest `events` of the range; the most frequent values first. */
  countValues(
    scope: EventScope,
    issue: IssueEvents,
    key: string,
    range: TimeRange,
    limits: { values: number; events: number },
    expression?: EventExpression,
  ): Promise<TagValues>;
}
