import type { RowDataset, RowExploreStore } from '#storage/ports/explore-rows.ts';
import type { Params } from '../search/params.ts';
import { matchRows } from './match-rows.ts';
import { rowTable, rowText } from './row-fields.ts';

/** One value; a row without a name only has the sums over all rows. */
export type ContrastRow = {
  isColumn: 0 | 1;
  name: string;
  value: string;
  rows: number;
  selected: number;
  allRows: number;
  allSelected: number;
};

/** Rows that are compared, the newest first: each becomes a row for every attribute. */
const CONTRASTED_ROWS_MAX = 50_000;
/** Values that are longer are texts of their own, and not properties that rows share. */
const VALUE_CHARACTERS_MAX = 200;

/** Each row as pairs of name and value, counted by pair; one pair without a name is of every row. */
export function contrastSql(
  dataset: RowDataset,
  where: string,
  { selected, columns, selectedMin, max }: Parameters<RowExploreStore['contrast']>[2],
  params: Params,
): string {
  const { from, time } = rowTable(dataset);
  const own = columns.map(
    (name) =>
      `(1, ${params.add('String', name)}, toString(${rowText(dataset, { kind: 'row', name }, params)}))`,
  );
  const attributes = [
    ['text', 'value'],
    ['number', 'toString(value)'],
    ['flag', "if(value, 'true', 'false')"],
  ].map(
    ([type, text]) =>
      `arrayMap((name, value) -> (0, name, ${text}), mapKeys(attributes_${type}), mapValues(attributes_${type}))`,
  );
  const pairs = [`[${["(0, '', 'all')", ...own].join(', ')}]`, ...attributes]
    .map((each) => `${each}::Array(Tuple(UInt8, String, String))`)
    .join(', ');
  return `SELECT pair.1 AS isColumn, pair.2 AS name, pair.3 AS value, count() AS rows, countIf(isSelected) AS selected,
      max(if(name = '', rows, 0)) OVER () AS allRows, max(if(name = '', selected, 0)) OVER () AS allSelected
    FROM (SELECT isSelected, arrayJoin(pairs) AS pair FROM (
      SELECT ${matchRows(dataset, selected, params)} AS isSelected, arrayConcat(${pairs}) AS pairs
      FROM ${from} WHERE ${where} ORDER BY ${time} DESC LIMIT ${CONTRASTED_ROWS_MAX}))
    WHERE pair.3 != '' AND lengthUTF8(pair.3) <= ${VALUE_CHARACTERS_MAX}
    GROUP BY isColumn, name, value
    HAVING name = '' OR selected >= ${params.add('UInt32', selectedMin)}
    ORDER BY name = '' DESC, selected / greatest(allSelected, 1) - rows / greatest(allRows, 1) DESC, name, value
    LIMIT ${params.add('UInt32', max + 1)}`;
}
