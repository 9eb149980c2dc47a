import type { AskedField, AskedRows, RowExploreStore, SelectedRows } from '#storage/ports/explore-rows.ts';
import type { Params } from '../search/params.ts';
import type { ExploreSource } from './explore-source.ts';
import { matchRows } from './match-rows.ts';

/** One value; the one of every row has the sums. */
export type ContrastRow = {
  /** From 0 on a field that was asked for, below that one of the maps of a row. */
  place: number;
  name: string;
  value: string;
  rows: number;
  selected: number;
  allRows: number;
  allSelected: number;
};

/** Rows that are compared: each becomes a row for every attribute. */
const CONTRASTED_ROWS_MAX = 50_000;
/** Attributes of one row that are compared. */
const CONTRASTED_ATTRIBUTES_MAX = 100;
/** Values that are longer are texts of their own, and not properties that rows share. */
const VALUE_CHARACTERS_MAX = 200;

const OF_ATTRIBUTES = -1;
const OF_TAGS = -2;
export const OF_EVERY_ROW = -3;

/** Each row as pairs of name and value, counted by pair. */
export function contrastSql(
  asked: AskedRows,
  source: ExploreSource,
  where: string,
  { selected, fields, oneOf, selectedMin, max }: Parameters<RowExploreStore['contrast']>[2],
  params: Params,
): string {
  const own = fields.map((field, place) => `(${place}, '', toString(${source.text(field, params)}))`);
  const maps =
    asked.dataset === 'errors'
      ? [mapPairs(OF_TAGS, 'tags', 'value'), mapPairs(OF_ATTRIBUTES, 'attributes', 'value')]
      : [
          mapPairs(OF_ATTRIBUTES, 'attributes_text', 'value'),
          mapPairs(OF_ATTRIBUTES, 'attributes_number', 'toString(value)'),
          mapPairs(OF_ATTRIBUTES, 'attributes_flag', "if(value, 'true', 'false')"),
        ];
  const pairs = `arrayConcat([${[`(${OF_EVERY_ROW}, '', 'all')`, ...own].join(', ')}]::${PAIRS}, arraySlice(arrayConcat(${maps.join(', ')}), 1, ${CONTRASTED_ATTRIBUTES_MAX}))`;
  const isSelected = selectedSql(asked, source, selected, params);
  const someRows =
    oneOf === null
      ? `FROM ${source.from} WHERE ${where} ORDER BY ${source.time} DESC LIMIT ${CONTRASTED_ROWS_MAX}`
      : `FROM ${source.table} WHERE ${where} AND cityHash64(${source.id}) %
           if(${isSelected}, ${params.add('UInt32', oneOf.selected)}, ${params.add('UInt32', oneOf.others)}) = 0
         LIMIT 1 BY project_id, ${source.trace}, ${source.id} LIMIT ${CONTRASTED_ROWS_MAX}`;
  return `SELECT pair.1 AS place, pair.2 AS name, pair.3 AS value, count() AS rows, countIf(isSelected) AS selected,
      max(if(place = ${OF_EVERY_ROW}, rows, 0)) OVER () AS allRows,
      max(if(place = ${OF_EVERY_ROW}, selected, 0)) OVER () AS allSelected
    FROM (SELECT isSelected, arrayJoin(pairs) AS pair FROM (
      SELECT ${isSelected} AS isSelected, ${pairs} AS pairs ${someRows}))
    WHERE pair.3 != '' AND lengthUTF8(pair.3) <= ${VALUE_CHARACTERS_MAX}
    GROUP BY place, name, value
    HAVING place = ${OF_EVERY_ROW} OR selected >= ${params.add('UInt32', selectedMin)}
    ORDER BY place = ${OF_EVERY_ROW} DESC,
      selected / greatest(allSelected, 1) - (rows - selected) / greatest(allRows - allSelected, 1) DESC, place DESC, name, value
    LIMIT ${params.add('UInt32', max + 1)}`;
}

const PAIRS = 'Array(Tuple(Int16, String, String))';

const mapPairs = (place: number, map: string, text: string): string =>
  `arrayMap((name, value) -> (${place}, name, ${text}), mapKeys(${map}), mapValues(${map}))::${PAIRS}`;

/** Whether a row is selected, as a condition. */
export function selectedSql(
  asked: AskedRows,
  source: ExploreSource,
  selected: SelectedRows,
  params: Params,
): string {
  if (selected.kind === 'time') {
    const moment = (ms: number) => `fromUnixTimestamp64Milli(${params.add('Int64', Math.trunc(ms))}, 'UTC')`;
    const { fromMs, toMs } = selected.range;
    return `(${source.time} >= ${moment(fromMs)} AND ${source.time} < ${moment(toMs)})`;
  }
  if (asked.dataset === 'errors') throw new Error('Errors are selected by time only');
  return matchRows(asked.dataset, selected.expression, params);
}

/** What a place and a name stand for. */
export function contrastedField(
  dataset: AskedRows['dataset'],
  fields: readonly AskedField[],
  place: number,
  name: string,
): AskedField {
  const own = fields[place];
  if (own) return own;
  if (dataset !== 'errors') return { kind: 'rowAttribute', name };
  return place === OF_TAGS ? { kind: 'tag', key: name } : { kind: 'attribute', name };
}
