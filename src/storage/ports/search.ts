import type { IssueStatus, IssueSubstatus } from '#domain/issues/issue.ts';

/** An empty `and` matches everything, an empty `or` nothing. */
export type Expression<Leaf> =
  | { kind: 'and'; parts: readonly Expression<Leaf>[] }
  | { kind: 'or'; parts: readonly Expression<Leaf>[] }
  | Leaf;

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * `exact`: the whole value, in the same case. `pattern`: the texts between wildcards, in either case: `['web@', '']` is
 * what begins with `web@`.
 */
export type TextMatch = { kind: 'exact'; text: string } | { kind: 'pattern'; parts: readonly string[] };

export const EVENT_COLUMNS = [
  'id',
  'type',
  'level',
  'platform',
  'logger',
  'title',
  'culprit',
  'message',
  'release',
  'dist',
  'environment',
  'transaction',
  'trace',
  'user.id',
  'user.email',
  'user.username',
  'user.ip',
  'sdk.name',
  'sdk.version',
] as const;
export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** Fields of which an event has many values: one of them is enough. */
export const EVENT_LISTS = [
  'error.type',
  'error.value',
  'error.mechanism',
  'stack.filename',
  'stack.abs_path',
  'stack.function',
  'stack.module',
  'stack.package',
] as const;
export type EventList = (typeof EVENT_LISTS)[number];

export const EVENT_NUMBER_LISTS = ['stack.lineno', 'stack.colno'] as const;
export type EventNumberList = (typeof EVENT_NUMBER_LISTS)[number];

/** An attribute is a scalar of the request, the place or a context: `http.method`, `geo.city`, `device.arch`. */
export type EventField =
  | { kind: 'column'; name: EventColumn }
  | { kind: 'list'; name: EventList }
  | { kind: 'numbers'; name: EventNumberList }
  | { kind: 'attribute'; name: string }
  | { kind: 'tag'; key: string };

/** Fields that numbers can be compared with: one of a list, or what an attribute or a tag reads as. */
export type NumericField = Extract<EventField, { kind: 'numbers' | 'attribute' | 'tag' }>;
export type TextField = Exclude<EventField, { kind: 'numbers' }>;

/** Something that one event must satisfy. `matches` are alternatives, and never empty. */
export type EventCondition =
  | { kind: 'text'; field: TextField; matches: readonly TextMatch[]; isNegated: boolean }
  | { kind: 'present'; field: EventField; isNegated: boolean }
  /** `!=` holds when no number of a list is the value. */
  | { kind: 'number'; field: NumericField; comparison: Comparison; value: number }
  /** Milliseconds since the epoch, by the SDK's clock. */
  | { kind: 'moment'; comparison: Comparison; atMs: number }
  /** `error.handled`: no exception says that nobody caught it. `stack.in_app`: some frame is the user's own code. */
  | { kind: 'flag'; name: 'error.handled' | 'stack.in_app'; value: boolean }
  /** Occurs in title, culprit or message, in either case. */
  | { kind: 'words'; match: TextMatch; isNegated: boolean }
  /** Has one of the grouping hashes. */
  | { kind: 'hashes'; hashes: readonly GroupingKey[]; isNegated: boolean }
  | { kind: 'projects'; projectIds: readonly number[]; isNegated: boolean };

export type IssueTextField =
  | 'level'
  | 'platform'
  | 'logger'
  | 'title'
  | 'culprit'
  | 'priority'
  | 'short_id'
  | 'type';

/** Something that is known of the issue itself. What is unknown of an issue is not what is unwanted. */
export type IssueCondition =
  | { kind: 'status'; statuses: readonly IssueStatus[]; isNegated: boolean }
  | { kind: 'substatus'; substatuses: readonly IssueSubstatus[]; isNegated: boolean }
  /** Assigned to one of them; `isNobody` adds what is not assigned at all. */
  | {
      kind: 'assignee';
      userIds: readonly string[];
      teamIds: readonly number[];
      isNobody: boolean;
      isNegated: boolean;
    }
  /** By one of the users. */
  | { kind: 'bookmarked' | 'subscribed'; userIds: readonly string[]; isNegated: boolean }
  /** With an issue elsewhere, by its address. */
  | { kind: 'linked'; isNegated: boolean }
  | { kind: 'text'; field: IssueTextField; matches: readonly TextMatch[]; isNegated: boolean }
  | { kind: 'number'; field: 'times_seen' | 'id'; comparison: Comparison; value: number }
  | { kind: 'moment'; field: 'first_seen' | 'last_seen'; comparison: Comparison; atMs: number }
  | { kind: 'projects'; projectIds: readonly number[]; isNegated: boolean }
  /** `any`: seen in one of the releases; `first`: first seen in one of them. */
  | { kind: 'release'; which: 'any' | 'first'; matches: readonly TextMatch[]; isNegated: boolean }
  /** Occurs in short id, title, culprit, message or exception, in either case. */
  | { kind: 'words'; match: TextMatch; isNegated: boolean }
  /** Holds one of the grouping hashes. */
  | { kind: 'hashes'; hashes: readonly GroupingKey[] };

export type GroupingKey = { projectId: number; hash: string };

export type IssueExpression = Expression<IssueCondition>;
export type EventExpression = Expression<EventCondition>;

/** Issues of which an event matches. `isCut` when there are more hashes than the bound: the ones seen last are here. */
export type MatchingHashes = { hashes: readonly GroupingKey[]; isCut: boolean };

/** A release as it was seen in a project, in milliseconds since the epoch. */
export type SeenRelease = { version: string; projectId: number; firstSeen: number };

export const EVERYTHING = { kind: 'and', parts: [] } as const satisfies IssueExpression & EventExpression;
