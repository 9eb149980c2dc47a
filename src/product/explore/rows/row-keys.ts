import type { SearchKeys } from '#product/search/syntax/search-keys.ts';
import {
  ROW_COLUMNS,
  type RowColumn,
  type RowColumnType,
  type RowDataset,
  type RowField,
} from '#storage/ports/explore-rows.ts';

/** What a name means in questions about a dataset. */
export type RowKey =
  | { kind: 'field'; field: RowField; type: RowColumnType | null; isDuration: boolean }
  | { kind: 'project' }
  | { kind: 'moment' };

/** Names of columns: the first is how it is shown, the others are understood too. Sentry's names where it has any. */
const NAMES: { readonly [Dataset in RowDataset]: Readonly<Record<string, readonly string[]>> } = {
  spans: {
    name: ['span.description', 'span.name', 'description'],
    normalized_name: ['span.normalized_description', 'sentry.normalized_description'],
    op: ['span.op', 'op', 'transaction.op'],
    duration: ['span.duration', 'transaction.duration', 'duration'],
    segment_name: ['transaction', 'segment.name'],
    status: ['span.status', 'status', 'transaction.status', 'trace.status'],
    trace: ['trace', 'trace_id', 'trace.id'],
    id: ['id', 'span_id', 'span.id', 'item_id'],
    parent: ['parent_span', 'parent_span.id', 'parent_span_id'],
    segment: ['segment.id', 'segment_id', 'transaction.span_id'],
    is_segment: ['is_transaction', 'is_segment'],
    kind: ['span.kind', 'kind'],
    origin: ['origin', 'span.origin'],
    user: ['user', 'user.id'],
    release: ['release'],
    environment: ['environment', 'env'],
    platform: ['platform'],
    sdk: ['sdk.name'],
    transaction_id: ['transaction.id', 'transaction.event_id'],
  },
  logs: {
    body: ['message', 'body', 'log.body'],
    level: ['severity', 'level', 'log.level'],
    severity: ['severity_number'],
    trace: ['trace', 'trace_id', 'trace.id'],
    span: ['span_id', 'span.id', 'parent_span'],
    id: ['id', 'sentry.item_id'],
    release: ['release'],
    environment: ['environment', 'env'],
    sdk: ['sdk.name'],
  },
  metrics: {
    name: ['metric.name', 'name'],
    type: ['metric.type', 'type'],
    unit: ['metric.unit', 'unit'],
    value: ['value', 'metric.value'],
    trace: ['trace', 'trace_id', 'trace.id'],
    span: ['span_id', 'span.id'],
    id: ['id', 'sentry.item_id'],
    release: ['release'],
    environment: ['environment', 'env'],
  },
} satisfies { [Dataset in RowDataset]: Record<keyof (typeof ROW_COLUMNS)[Dataset], readonly string[]> };

const PROJECT_NAMES: ReadonlySet<string> = new Set(['project', 'project.name', 'project.slug', 'project.id']);
/** Nanoseconds since the epoch as a number, which clients that follow a list ask for. */
const NANOSECONDS = 'timestamp_precise';
const MOMENT_NAMES: ReadonlySet<string> = new Set(['timestamp', NANOSECONDS, 'time']);

const COLUMN_OF: { readonly [Dataset in RowDataset]: ReadonlyMap<string, RowColumn> } = {
  spans: columnsByName('spans'),
  logs: columnsByName('logs'),
  metrics: columnsByName('metrics'),
};

function columnsByName(dataset: RowDataset): ReadonlyMap<string, RowColumn> {
  const columns = Object.entries(NAMES[dataset]);
  return new Map(columns.flatMap(([column, names]) => names.map((name) => [name, column as RowColumn])));
}

/** A column as it is shown. */
export const columnName = (dataset: RowDataset, column: RowColumn): string =>
  (NAMES[dataset][column] ?? [])[0] ?? column;

/** Names of the columns of a dataset as they are shown. */
export const columnNames = (dataset: RowDataset): readonly string[] => [
  ...Object.values(NAMES[dataset]).flatMap(([name = '']) => name),
  'project',
  'timestamp',
];

/** Every name that is no column's is an attribute; `tags[name,number]` says so, and what it holds. */
export function rowKeyNamed(dataset: RowDataset, name: string): RowKey {
  const [, tag, type] = TAG.exec(name) ?? [];
  if (tag !== undefined) {
    return {
      kind: 'field',
      field: { kind: 'rowAttribute', name: tag.trim() },
      type: type === 'number' ? 'number' : null,
      isDuration: false,
    };
  }
  if (PROJECT_NAMES.has(name)) return { kind: 'project' };
  if (MOMENT_NAMES.has(name)) return { kind: 'moment' };
  const column = COLUMN_OF[dataset].get(name);
  if (column === undefined) {
    return { kind: 'field', field: { kind: 'rowAttribute', name }, type: null, isDuration: false };
  }
  return {
    kind: 'field',
    field: { kind: 'row', name: column },
    type: (ROW_COLUMNS[dataset] as Readonly<Record<string, RowColumnType>>)[column] ?? null,
    isDuration: column === 'duration',
  };
}
const TAG = /^(?:tags|attributes)\[([^,\]]+)(?:, *(number|string|boolean))?\]$/;

/** What the parser of searches needs to know. Attributes may be compared, whatever they hold. */
export function searchKeysOf(dataset: RowDataset): SearchKeys {
  const typeOf = (name: string): RowColumnType | null => {
    const key = rowKeyNamed(dataset, name);
    return key.kind === 'field' ? key.type : null;
  };
  const isDuration = (name: string): boolean => {
    const key = rowKeyNamed(dataset, name);
    return key.kind === 'field' && key.isDuration;
  };
  return {
    isDate: (name) => MOMENT_NAMES.has(name) && name !== NANOSECONDS,
    isDuration,
    isNumber: (name) => (typeOf(name) === 'number' && !isDuration(name)) || name === NANOSECONDS,
    isBoolean: (name) => typeOf(name) === 'flag',
    isPercentage: () => false,
    isOrdered: (name) => {
      const key = rowKeyNamed(dataset, name);
      return key.kind === 'field' && (key.field.kind === 'rowAttribute' || key.isDuration);
    },
  };
}
