import {
  ROW_COLUMNS,
  type RowColumn,
  type RowColumnType,
  type RowDataset,
  type RowField,
} from '#storage/ports/explore-rows.ts';
import type { Params } from '../search/params.ts';
import { EVERY_MAP } from './attribute-maps.ts';

type RowTable = {
  /** Merged while it is read: each row once. */
  from: string;
  /** The clock of the SDK, in microseconds. */
  time: string;
  id: string;
  trace: string;
  span: string;
  /** What words are searched in. */
  words: string;
  columns: Readonly<Record<string, string>>;
};

const NAMED = { release: 'release', environment: 'environment', sdk: 'sdk_name' };

/** Only spans whose description has values in it have another one without. */
const NORMALIZED = 'sentry.normalized_description';

const TABLES: { readonly [Dataset in RowDataset]: RowTable } = {
  spans: {
    from: 'spans FINAL',
    time: 'started_at',
    id: 'span_id',
    trace: 'trace_id',
    span: 'span_id',
    words: 'name',
    columns: {
      ...NAMED,
      id: 'span_id',
      trace: 'trace_id',
      parent: 'parent_span_id',
      segment: 'segment_id',
      is_segment: 'is_segment',
      op: 'op',
      name: 'name',
      normalized_name: `if(mapContains(attributes_text, '${NORMALIZED}'), attributes_text['${NORMALIZED}'], name)`,
      segment_name: 'segment_name',
      status: 'status',
      kind: 'kind',
      origin: 'origin',
      duration: 'duration_us / 1000',
      platform: 'platform',
      user: 'user_id',
      transaction_id: 'transaction_id',
    } satisfies Record<keyof (typeof ROW_COLUMNS)['spans'], string>,
  },
  logs: {
    from: 'logs FINAL',
    time: 'occurred_at',
    id: 'row_id',
    trace: 'trace_id',
    span: 'span_id',
    words: 'body',
    columns: {
      ...NAMED,
      id: 'row_id',
      trace: 'trace_id',
      span: 'span_id',
      level: 'level',
      severity: 'severity_number',
      body: 'body',
    } satisfies Record<keyof (typeof ROW_COLUMNS)['logs'], string>,
  },
  metrics: {
    from: 'metrics FINAL',
    time: 'occurred_at',
    id: 'row_id',
    trace: 'trace_id',
    span: 'span_id',
    words: 'name',
    columns: {
      ...NAMED,
      id: 'row_id',
      name: 'name',
      type: 'type',
      unit: 'unit',
      value: 'value',
      trace: 'trace_id',
      span: 'span_id',
    } satisfies Record<keyof (typeof ROW_COLUMNS)['metrics'], string>,
  },
};

export const rowTable = (dataset: RowDataset): RowTable => TABLES[dataset];

/** The field as a text, empty for rows without it. */
export function rowText(dataset: RowDataset, field: RowField, params: Params, mapsOf = EVERY_MAP): string {
  if (field.kind === 'row') {
    const column = columnOf(dataset, field.name);
    return typeOf(dataset, field.name) === 'text' ? column : `toString(${column})`;
  }
  const name = params.add('String', field.name);
  const maps = mapsOf(field.name);
  if (maps.length === 1 && maps[0] === 'text') return `attributes_text[${name}]`;
  const cases = {
    text: `attributes_text[${name}] != '', attributes_text[${name}]`,
    number: `mapContains(attributes_number, ${name}), toString(attributes_number[${name}])`,
    flag: `mapContains(attributes_flag, ${name}), if(attributes_flag[${name}], 'true', 'false')`,
  };
  return `multiIf(${maps.map((map) => cases[map]).join(', ')}, '')`;
}

/** The field as a number, a flag as 0 or 1; null for rows without it, and for what is none. */
export function rowNumber(dataset: RowDataset, field: RowField, params: Params, mapsOf = EVERY_MAP): string {
  if (field.kind === 'row') {
    const column = columnOf(dataset, field.name);
    return typeOf(dataset, field.name) === 'text' ? `toFloat64OrNull(${column})` : column;
  }
  const name = params.add('String', field.name);
  const maps = mapsOf(field.name);
  const text = `toFloat64OrNull(attributes_text[${name}])`;
  if (maps.length === 1 && maps[0] === 'text') return text;
  const cases = {
    number: `mapContains(attributes_number, ${name}), attributes_number[${name}]`,
    flag: `mapContains(attributes_flag, ${name}), toFloat64(attributes_flag[${name}])`,
  };
  const typed = (['number', 'flag'] as const).filter((map) => maps.includes(map)).map((map) => cases[map]);
  return `multiIf(${typed.join(', ')}, ${maps.includes('text') ? text : 'NULL'})`;
}

export const isPresentRow = (
  dataset: RowDataset,
  field: RowField,
  params: Params,
  mapsOf = EVERY_MAP,
): string =>
  field.kind === 'row' && typeOf(dataset, field.name) !== 'text'
    ? '1'
    : `${rowText(dataset, field, params, mapsOf)} != ''`;

/** Asked as what it is: a text would have to be made for each row. null for what holds no flags. */
export const flagColumn = (dataset: RowDataset, name: RowColumn): string | null =>
  typeOf(dataset, name) === 'flag' ? columnOf(dataset, name) : null;

/** Columns are those of the dataset: what names another one is a mistake in the code. */
function columnOf(dataset: RowDataset, name: RowColumn): string {
  const column = TABLES[dataset].columns[name];
  if (column === undefined) throw new Error(`${dataset} have no column "${name}"`);
  return column;
}

const typeOf = (dataset: RowDataset, name: RowColumn): RowColumnType | undefined =>
  (ROW_COLUMNS[dataset] as Readonly<Record<string, RowColumnType>>)[name];
