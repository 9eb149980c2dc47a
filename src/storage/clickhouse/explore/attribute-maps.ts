import type { Aggregate, AskedField, AskedRows, RowExpression } from '#storage/ports/explore-rows.ts';
import type { ClickhouseDatabase } from '../client.ts';
import type { Params } from '../search/params.ts';
import { COUNT_SETTINGS, exceedsLimits } from '../search/search-limits.ts';

/** Attributes of a row lie in one map for each type. */
const ATTRIBUTE_MAPS = ['text', 'number', 'flag'] as const;

type AttributeMap = (typeof ATTRIBUTE_MAPS)[number];

/** The maps in which rows have an attribute of the name, in the order of `ATTRIBUTE_MAPS`. Never empty. */
export type MapsOf = (name: string) => readonly AttributeMap[];

export const EVERY_MAP: MapsOf = () => ATTRIBUTE_MAPS;
const NO_ROW_HAS_IT: readonly AttributeMap[] = ['text'];

/** Of a question with more attributes, all maps are read: each name takes three short queries. */
const NAMES_MAX = 8;

/**
 * Which maps have to be read for a question, as most of its work is to read them, and nearly every attribute is of one type.
 * `where` finds the rows of its range; its values are in `params`. Filters of names tell at once what no row has.
 */
export async function findAttributeMaps(
  database: ClickhouseDatabase,
  table: string,
  where: string,
  names: ReadonlySet<string>,
  params: Params,
): Promise<MapsOf> {
  if (names.size === 0 || names.size > NAMES_MAX) return EVERY_MAP;
  const searches = [...names].flatMap((name) => {
    const asked = params.add('String', name);
    return ATTRIBUTE_MAPS.map(
      (map) =>
        `(SELECT ${asked} AS name, '${map}' AS map FROM ${table} WHERE ${where} AND mapContains(attributes_${map}, ${asked}) LIMIT 1)`,
    );
  });
  try {
    const found = await database.query<{ name: string; map: AttributeMap }>(
      `SELECT name, map FROM (${searches.join(' UNION ALL ')}) ${COUNT_SETTINGS}`,
      params.values,
    );
    const maps = Map.groupBy(found, ({ name }) => name);
    return (name) => {
      const held = new Set(maps.get(name)?.map(({ map }) => map));
      return held.size === 0 ? NO_ROW_HAS_IT : ATTRIBUTE_MAPS.filter((map) => held.has(map));
    };
  } catch (error) {
    if (!exceedsLimits(error)) throw error;
    return EVERY_MAP;
  }
}

/** The attributes that a question names. */
export function askedAttributes(
  asked: AskedRows,
  groupBy: readonly AskedField[],
  aggregates: readonly Aggregate[],
): ReadonlySet<string> {
  if (asked.dataset === 'errors') return new Set();
  const fields = [
    ...groupBy,
    ...aggregates.flatMap((aggregate) => ('field' in aggregate ? [aggregate.field] : [])),
    ...matchedFields(asked.expression),
  ];
  return new Set(fields.flatMap((field) => (field.kind === 'rowAttribute' ? [field.name] : [])));
}

function matchedFields(expression: RowExpression): AskedField[] {
  if (expression.kind === 'and' || expression.kind === 'or') return expression.parts.flatMap(matchedFields);
  return 'field' in expression ? [expression.field] : [];
}
