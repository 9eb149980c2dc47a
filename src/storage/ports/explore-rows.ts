import type { EventScope, TimeRange } from './events.ts';
import type { Comparison, EventExpression, EventField, Expression, TextMatch } from './search.ts';

/** What columns of telemetry hold. Numbers of times are milliseconds. */
export type RowColumnType = 'text' | 'number' | 'flag';

/** The columns of each dataset; whatever else a row has is an attribute. */
export const ROW_COLUMNS = {
  spans: {
    id: 'text',
    trace: 'text',
    parent: 'text',
    segment: 'text',
    is_segment: 'flag',
    op: 'text',
    name: 'text',
    normalized_name: 'text',
    segment_name: 'text',
    status: 'text',
    kind: 'text',
    origin: 'text',
    duration: 'number',
    release: 'text',
    environment: 'text',
    platform: 'text',
    sdk: 'text',
    user: 'text',
    transaction_id: 'text',
  },
  logs: {
    id: 'text',
    trace: 'text',
    span: 'text',
    level: 'text',
    severity: 'number',
    body: 'text',
    release: 'text',
    environment: 'text',
    sdk: 'text',
  },
  metrics: {
    id: 'text',
    name: 'text',
    type: 'text',
    unit: 'text',
    value: 'number',
    trace: 'text',
    span: 'text',
    release: 'text',
    environment: 'text',
  },
} as const satisfies Record<string, Readonly<Record<string, RowColumnType>>>;

export type RowDataset = keyof typeof ROW_COLUMNS;
export const ROW_DATASETS = Object.keys(ROW_COLUMNS) as readonly RowDataset[];
export type RowColumn = { [Dataset in RowDataset]: keyof (typeof ROW_COLUMNS)[Dataset] }[RowDataset];

/** A column of the dataset, or an attribute: a text, a number or a flag, as it was sent. */
export type RowField = { kind: 'row'; name: RowColumn } | { kind: 'rowAttribute'; name: string };

/** Something that one row must satisfy. `matches` are alternatives, and never empty. */
export type RowCondition =
  | { kind: 'text'; field: RowField; matches: readonly TextMatch[]; isNegated: boolean }
  | { kind: 'present'; field: RowField; isNegated: boolean }
  | { kind: 'number'; field: RowField; comparison: Comparison; value: number }
  /** Milliseconds since the epoch, by the SDK's clock; microseconds are its fraction. */
  | { kind: 'moment'; comparison: Comparison; atMs: number }
  | { kind: 'projects'; projectIds: readonly number[]; isNegated: boolean }
  /** Occurs in the name of a span or metric, or in the text of a line, in either case. */
  | { kind: 'words'; match: TextMatch; isNegated: boolean };
export type RowExpression = Expression<RowCondition>;

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

/** Which rows a question is about; an empty `and` is every one. */
export type AskedRows =
  | { dataset: 'errors'; range: TimeRange; expression: EventExpression }
  | { dataset: RowDataset; range: TimeRange; expression: RowExpression };

/** A field of the dataset that is asked: of errors an `ExploredField`. */
export type AskedField = ExploredField | RowField;

/**
 * One number over the rows of a group. A failure is a span whose status is neither ok, canceled nor unknown. `rate` is rows
 * per so many seconds. null where there is nothing to take it of.
 */
export type Aggregate =
  | { kind: 'count' | 'failure_rate' | 'failure_count' | 'first_seen' | 'last_seen' }
  | { kind: 'rate'; seconds: number }
  | { kind: 'count_unique' | 'avg' | 'sum' | 'min' | 'max'; field: AskedField }
  /** `level` is between 0 and 1. */
  | { kind: 'quantile'; level: number; field: AskedField }
  /** Satisfied up to the threshold, half of it up to four times as long. */
  | { kind: 'apdex'; thresholdMs: number };

export type RowGroup = {
  /** One text per field that is grouped by, empty for rows without it; a project is its number. */
  keys: readonly string[];
  /** One per aggregate; moments are milliseconds since the epoch. */
  values: readonly (number | null)[];
};

export type GroupOrder = { by: { aggregate: number } | { key: number }; isDescending: boolean };

/** One aggregate per bucket, oldest first: null in buckets without rows, 0 for counts. */
export type RowSeries = { keys: readonly string[]; values: readonly (readonly (number | null)[])[] };

export type SampledRow = {
  id: string;
  projectId: number;
  /** null when the row belongs to none. */
  traceId: string | null;
  spanId: string | null;
  /** Microseconds since the epoch. */
  occurredAtUs: number;
  /** Of each asked field; empty for none. */
  values: readonly string[];
};

/** Place of a row in a list by time. */
export type RowPlace = { atUs: number; id: string };

export type RowOrder = { by: 'time' | AskedField; isDescending: boolean };

/** Rows that are told apart from the others: those of a time within the range, or of telemetry those that a search finds. */
export type SelectedRows = { kind: 'time'; range: TimeRange } | { kind: 'rows'; expression: RowExpression };

/** How often a value is among all rows, and among those that were selected. */
export type ContrastedValue = { field: AskedField; value: string; rows: number; selected: number };

/** An attribute that rows carry, and what it holds. */
export type RowAttribute = { name: string; type: RowColumnType };

/**
 * Ad-hoc questions over stored rows, each row counted once however often it was inserted. Source: ClickHouse. Every call
 * throws Invalid when it takes longer, or more memory, than a search may.
 */
export interface RowExploreStore {
  /** `distinct` counts all groups. Without `groupBy` there is exactly one group. */
  aggregate(
    scope: EventScope,
    asked: AskedRows,
    page: {
      groupBy: readonly AskedField[];
      aggregates: readonly Aggregate[];
      order: GroupOrder;
      limit: number;
      offset: number;
    },
  ): Promise<{ groups: readonly RowGroup[]; distinct: number }>;
  /** A series for each of the groups, which `aggregate` gave; in buckets from `fromMs` on, the start of the first one. */
  series(
    scope: EventScope,
    asked: AskedRows,
    chart: {
      groupBy: readonly AskedField[];
      groups: readonly (readonly string[])[];
      aggregates: readonly Aggregate[];
      fromMs: number;
      bucketMs: number;
    },
  ): Promise<readonly RowSeries[]>;
  /** Of a list by time the next page begins after `after`, of any other at `offset`. */
  sample(
    scope: EventScope,
    asked: AskedRows,
    page: {
      fields: readonly AskedField[];
      order: RowOrder;
      limit: number;
      after: RowPlace | null;
      offset: number;
    },
  ): Promise<{ rows: readonly SampledRow[]; hasMore: boolean }>;
  /** How many rows there are, and how many of them are selected. */
  countSelected(
    scope: EventScope,
    asked: AskedRows,
    selected: SelectedRows,
  ): Promise<{ rows: number; selected: number }>;
  /**
   * Which values of the fields, and of all attributes (of errors their tags too), are more frequent among the selected rows
   * than among the others: the largest difference of shares first. Of the newest rows, or evenly of one in `oneOf`, both of
   * which `rows` and `selected` count. Values that fewer than `selectedMin` selected rows have are left out, and so are long
   * ones.
   */
  contrast(
    scope: EventScope,
    asked: AskedRows,
    by: {
      selected: SelectedRows;
      fields: readonly AskedField[];
      /** null for the newest rows. */
      oneOf: { selected: number; others: number } | null;
      selectedMin: number;
      max: number;
    },
  ): Promise<{ rows: number; selected: number; values: readonly ContrastedValue[] }>;
  /** Names of attributes of the newest rows, by name. */
  listAttributes(
    scope: EventScope,
    dataset: RowDataset,
    range: TimeRange,
    max: number,
  ): Promise<readonly RowAttribute[]>;
  /** Values that contain the text, in either case, the most frequent of the newest rows first. */
  listValues(
    scope: EventScope,
    dataset: RowDataset,
    range: TimeRange,
    field: RowField,
    part: string,
    max: number,
  ): Promise<readonly { value: string; count: number }[]>;
}
