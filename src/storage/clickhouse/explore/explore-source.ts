import type { AskedField, AskedRows, ExploredField, RowField } from '#storage/ports/explore-rows.ts';
import { IS_ERROR } from '../query-params.ts';
import { matchEvents } from '../search/match-events.ts';
import type { Params } from '../search/params.ts';
import { EVERY_MAP } from './attribute-maps.ts';
import { exploredText, exploredValue } from './error-fields.ts';
import { matchRows } from './match-rows.ts';
import { rowNumber, rowTable, rowText } from './row-fields.ts';

/** What a question needs to know of the table that it is about; expressions put their values into `params`. */
export type ExploreSource = {
  /** Rows that were inserted twice may lie in it twice. */
  from: string;
  /** The same, each row once; of errors that costs more. */
  fromOnce: string;
  /** The table as it lies, with copies. */
  table: string;
  /** The clock of the SDK. */
  time: string;
  /** The same as milliseconds since the epoch. */
  timeMs: string;
  id: string;
  trace: string;
  span: string;
  /** How many rows, each once. */
  count: string;
  matches(params: Params): string;
  /** One text per row; several values are joined. */
  text(field: AskedField, params: Params): string;
  /** As `text`, for groups: a row with several values is in several of them. */
  group(field: AskedField, params: Params): string;
  /** How many values rows have. */
  unique(field: AskedField, params: Params): string;
  /** null for rows without it. */
  number(field: AskedField, params: Params): string;
};

/** Attributes are read of the maps that `mapsOf` gives. */
export function openSource(asked: AskedRows, mapsOf = EVERY_MAP): ExploreSource {
  if (asked.dataset === 'errors') return errors(asked.expression);
  const { dataset, expression } = asked;
  const text = (field: AskedField, params: Params): string =>
    field.kind === 'project' ? PROJECT : rowText(dataset, asRow(field), params, mapsOf);
  const table = rowTable(dataset);
  return {
    ...table,
    fromOnce: table.from,
    timeMs: `intDiv(toUnixTimestamp64Micro(${table.time}), 1000)`,
    table: dataset,
    count: 'count()',
    matches: (params) => matchRows(dataset, expression, params, mapsOf),
    text,
    group: text,
    unique: (field, params) => uniqueText(text(field, params)),
    number: (field, params) => rowNumber(dataset, asRow(field), params, mapsOf),
  };
}

const uniqueText = (value: string): string => `uniqExactIf(cityHash64(${value}), ${value} != '')`;

const PROJECT = 'toString(project_id)';

function errors(expression: Extract<AskedRows, { dataset: 'errors' }>['expression']): ExploreSource {
  const group = (field: AskedField, params: Params): string =>
    params.join(exploredValue(asExplored(field), params.prefix()));
  const text = (field: AskedField, params: Params): string =>
    params.join(exploredText(asExplored(field), params.prefix()));
  return {
    from: 'events',
    fromOnce: 'events FINAL',
    table: 'events',
    time: 'occurred_at',
    timeMs: 'toUnixTimestamp64Milli(occurred_at)',
    id: 'event_id',
    trace: 'trace_id',
    span: "''",
    count: 'uniqExact(cityHash64(project_id, event_id))',
    matches: (params) => `${IS_ERROR} AND ${params.join(matchEvents(expression))}`,
    text,
    group,
    unique: (field, params) =>
      field.kind === 'user' ? 'uniqExactIf(user_hash, user_hash != 0)' : uniqueText(group(field, params)),
    // One number per row: several are none.
    number: (field, params) => `toFloat64OrNull(${text(field, params)})`,
  };
}

/** The product asks each dataset for its own fields: anything else is a mistake in the code. */
function asRow(field: AskedField): RowField {
  if (field.kind === 'row' || field.kind === 'rowAttribute') return field;
  throw new Error(`Telemetry has no field of this kind: ${field.kind}`);
}

function asExplored(field: AskedField): ExploredField {
  if (field.kind !== 'row' && field.kind !== 'rowAttribute') return field;
  throw new Error(`Errors have no such field: ${field.name}`);
}
