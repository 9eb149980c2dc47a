import type { EventScope, TimeRange } from './events.ts';
import type { EventExpression, EventField } from './search.ts';

/** What is shown of events, or what they are grouped by. */
export type ExploredField =
  | EventField
  | { kind: 'project' }
  /** By what users are told apart, the first thing that is known: `id:7`, else `email:…`, `username:…` or `ip:…`. */
  | { kind: 'user' }
  /** `projectId:hash`, by which issues are told apart; `standIns` has those that another one of the same issue stands for. */
  | { kind: 'grouping'; standIns: ReadonlyMap<string, string> }
  /** `true` or `false`. */
  | { kind: 'flag'; name: 'error.handled' | 'stack.in_app' };

/** Which events a question is about; an empty `and` is every one. */
export type AskedEvents = { range: TimeRange; expression: EventExpression };

export type EventTrend = {
  /** Events per bucket, oldest bucket first, zero where there were none. */
  buckets: readonly number[];
  events: number;
  /** Distinct users. */
  users: number;
};

export const GROUP_SORTS = ['events', 'users', 'first', 'last', 'value'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

/** Events with one value of a field; the number of a project stands for the project. */
export type EventGroup = {
  /** Empty for events without the field. */
  value: string;
  events: number;
  users: number;
  /** Milliseconds since the epoch, within the asked range. */
  firstSeen: number;
  lastSeen: number;
};

export type ExploredEvent = {
  projectId: number;
  eventId: string;
  groupingHash: string;
  title: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Of each asked field, several values joined by a comma; empty for none. */
  values: readonly string[];
};

/** Place of an event in a list. */
export type ExploredPlace = { occurredAt: number; eventId: string };

/**
 * Ad-hoc questions over stored events. Source: ClickHouse. Every call throws Invalid when it takes longer, or more
 * memory, than a search may.
 */
export interface EventExploreStore {
  countOverTime(scope: EventScope, asked: AskedEvents, bucketMs: number): Promise<EventTrend>;
  /** Groups from `offset` on; `distinct` counts all of them. An event with several values counts in each. */
  groupBy(
    scope: EventScope,
    asked: AskedEvents,
    field: ExploredField,
    page: { sort: GroupSort; isDescending: boolean; limit: number; offset: number },
  ): Promise<{ groups: readonly EventGroup[]; distinct: number }>;
  listFields(
    scope: EventScope,
    asked: AskedEvents,
    fields: readonly ExploredField[],
    page: { order: 'newest' | 'oldest'; limit: number; after: ExploredPlace | null },
  ): Promise<{ events: readonly ExploredEvent[]; hasMore: boolean }>;
}
