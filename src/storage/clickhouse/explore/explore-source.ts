import type { ExploredField } from '#storage/ports/event-explore.ts';
import type { AskedField, AskedRows, RowField } from '#storage/ports/explore-rows.ts';
import { exploredText, exploredValue } from '../explore-store.ts';
import { IS_SENT } from '../query-params.ts';
import { matchEvents } from '../search/match-events.ts';
import type { Params } from '../search/params.ts';
import { matchRows } from './match-rows.ts';
import { rowNumber, rowTable, rowText } from './row-fields.ts';

/** What a question needs to know of the table that it is about; expressions put their values into `params`. */
export type ExploreSource = {
  from: string;
  /** The clock of the SDK. */
  time: string;
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
  /** null for rows without it. */
  number(field: AskedField, params: Params): string;
};

export function openSource(asked: AskedRows): ExploreSource {
  if (asked.dataset === 'errors') return errors(asked.expression);
  const { dataset, expression } = asked;
  const text = (field: AskedField, params: Params): string =>
    field.kind === 'project' ? PROJECT : rowText(dataset, asRow(field), params);
  return {
    ...rowTable(dataset),
    count: 'count()',
    matches: (params) => matchRows(dataset, expression, params),
    text,
    group: text,
    number: (field, params) => rowNumber(dataset, asRow(field), params),
  };
}

const PROJECT = 'toString(project_id)';

function errors(expression: Extract<AskedRows, { dataset: 'errors' }>['expression']): ExploreSource {
  const group = (field: AskedField, params: Params): string =>
    params.join(exploredValue(asExplored(field), params.prefix()));
  return {
    from: 'events',
    time: 'occurred_at',
    id: 'event_id',
    trace: 'trace_id',
    span: "''",
    count: 'uniqExact(cityHash64(project_id, event_id))',
    matches: (params) => `${IS_SENT} AND ${params.join(matchEvents(expression))}`,
    text: (field, params) => params.join(exploredText(asExplored(field), params.prefix())),
    group,
    number: (field, params) => `toFloat64OrNull(${group(field, params)})`,
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
