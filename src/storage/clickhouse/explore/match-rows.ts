import type { RowCondition, RowDataset, RowExpression, RowField } from '#storage/ports/explore-rows.ts';
import type { TextMatch } from '#storage/ports/search.ts';
import { OPERATORS, unless } from '../search/match-events.ts';
import { eventHash, likePattern, type Params } from '../search/params.ts';
import { EVERY_MAP, type MapsOf } from './attribute-maps.ts';
import { flagColumn, isPresentRow, rowNumber, rowTable, rowText } from './row-fields.ts';

/** Rows of the dataset that a search asks for, as a condition; every value is a parameter. */
export function matchRows(
  dataset: RowDataset,
  expression: RowExpression,
  params: Params,
  mapsOf = EVERY_MAP,
): string {
  if (expression.kind !== 'and' && expression.kind !== 'or') {
    return matchCondition(dataset, expression, params, mapsOf);
  }
  if (expression.parts.length === 0) return expression.kind === 'and' ? '1' : '0';
  const parts = expression.parts.map((part) => matchRows(dataset, part, params, mapsOf));
  return `(${parts.join(expression.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function matchCondition(
  dataset: RowDataset,
  condition: RowCondition,
  params: Params,
  mapsOf: MapsOf,
): string {
  switch (condition.kind) {
    case 'text':
      return unless(
        condition.isNegated,
        condition.matches
          .map((match) => matchText(dataset, condition.field, match, params, mapsOf))
          .join(' OR ') || '0',
      );
    case 'present':
      return unless(condition.isNegated, isPresentRow(dataset, condition.field, params, mapsOf));
    case 'number': {
      const value = rowNumber(dataset, condition.field, params, mapsOf);
      const bound = params.add('Float64', condition.value);
      // What has no number is not the number either.
      return condition.comparison === '!='
        ? `ifNull(${value} != ${bound}, 1)`
        : `ifNull(${value} ${OPERATORS[condition.comparison]} ${bound}, 0)`;
    }
    case 'moment':
      return `${rowTable(dataset).time} ${OPERATORS[condition.comparison]} fromUnixTimestamp64Micro(${params.add('Int64', Math.round(condition.atMs * 1_000))}, 'UTC')`;
    case 'projects':
      return unless(condition.isNegated, `project_id IN (${params.addList('UInt64', condition.projectIds)})`);
    case 'words':
      return unless(
        condition.isNegated,
        `${rowTable(dataset).words} ILIKE ${params.add('String', likePattern(condition.match))}`,
      );
  }
}

/** Patterns ignore case, exact texts do not. The id of a trace may be written with hyphens and capitals. */
function matchText(
  dataset: RowDataset,
  field: RowField,
  match: TextMatch,
  params: Params,
  mapsOf: MapsOf,
): string {
  if (match.kind === 'pattern') {
    return `toString(${rowText(dataset, field, params, mapsOf)}) ILIKE ${params.add('String', likePattern(match))}`;
  }
  if (field.kind === 'rowAttribute' && match.text !== '')
    return hasAttribute(field.name, match.text, params, mapsOf(field.name));
  const flag = field.kind === 'row' && flagColumn(dataset, field.name);
  if (flag && (match.text === 'true' || match.text === 'false')) return `${flag} = ${match.text}`;
  const isTrace = field.kind === 'row' && field.name === 'trace';
  const text = isTrace ? eventHash(match.text) : match.text;
  // As a plain column, so that the index of a trace is used.
  return `${rowText(dataset, field, params, mapsOf)} = ${params.add('String', text)}`;
}

const LIKE_NUMBER = /^-?(?:\d|inf|nan)/i;

/** As the text of the attribute would be compared, without reading maps that cannot hold it: they are most of a row. */
function hasAttribute(name: string, value: string, params: Params, maps: ReturnType<MapsOf>): string {
  const key = params.add('String', name);
  const text = params.add('String', value);
  const tests: string[] = [];
  if (maps.includes('text')) tests.push(`attributes_text[${key}] = ${text}`);
  if (maps.includes('number') && LIKE_NUMBER.test(value)) {
    tests.push(`(mapContains(attributes_number, ${key}) AND toString(attributes_number[${key}]) = ${text})`);
  }
  if (maps.includes('flag') && (value === 'true' || value === 'false')) {
    tests.push(`(mapContains(attributes_flag, ${key}) AND attributes_flag[${key}] = ${value})`);
  }
  return `(${tests.join(' OR ') || '0'})`;
}
