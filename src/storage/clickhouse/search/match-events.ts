import type { EventFilter } from '#storage/ports/events.ts';
import type {
  Comparison,
  EventColumn,
  EventCondition,
  EventExpression,
  EventField,
  NumericField,
  TextField,
  TextMatch,
} from '#storage/ports/search.ts';
import { both, IN_RANGE, type SqlPart } from '../query-params.ts';
import { eventHash, likePattern, Params } from './params.ts';
import { LIST_COLUMNS, NUMBER_COLUMNS } from './search-columns.ts';

/** Rows of `events` that a search asks for, as a condition; every value is a parameter. */
export function matchEvents(expression: EventExpression): SqlPart {
  const params = new Params('search');
  const sql = matchExpression(expression, params);
  return { sql, params: params.values };
}

/** Of the rows those that a filter of events leaves. */
export function filterEvents(own: SqlPart, filter: EventFilter | undefined): SqlPart {
  const within = filter?.range ? both(own, { sql: IN_RANGE, params: { ...filter.range } }) : own;
  return filter?.expression ? both(within, matchEvents(filter.expression)) : within;
}

/**
 * The values that a field has, one per row: lists are taken apart. Names of parameters begin with `prefix`, so that
 * several parts fit into one statement.
 */
export function fieldValue(field: EventField, prefix = 'field'): SqlPart {
  if (field.kind === 'list') return { sql: `arrayJoin(${LIST_COLUMNS[field.name]})`, params: {} };
  if (field.kind === 'numbers')
    return { sql: `toString(arrayJoin(${NUMBER_COLUMNS[field.name]}))`, params: {} };
  return scalarText(field, prefix);
}

/** What a field has, as one text: the values of a list are joined. `prefix` as in `fieldValue`. */
export function fieldText(field: EventField, prefix = 'field'): SqlPart {
  if (field.kind === 'list')
    return { sql: `arrayStringConcat(${LIST_COLUMNS[field.name]}, ', ')`, params: {} };
  if (field.kind === 'numbers') {
    const texts = `arrayMap(number -> toString(number), ${NUMBER_COLUMNS[field.name]})`;
    return { sql: `arrayStringConcat(${texts}, ', ')`, params: {} };
  }
  return scalarText(field, prefix);
}

function scalarText(field: Exclude<EventField, { kind: 'list' | 'numbers' }>, prefix: string): SqlPart {
  const params = new Params(prefix);
  return { sql: `toString(${valueSql(field, params)})`, params: params.values };
}

function matchExpression(expression: EventExpression, params: Params): string {
  if (expression.kind !== 'and' && expression.kind !== 'or') return matchCondition(expression, params);
  if (expression.parts.length === 0) return expression.kind === 'and' ? '1' : '0';
  const parts = expression.parts.map((part) => matchExpression(part, params));
  return `(${parts.join(expression.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function matchCondition(condition: EventCondition, params: Params): string {
  switch (condition.kind) {
    case 'text':
      return unless(condition.isNegated, matchText(condition.field, condition.matches, params));
    case 'present':
      return unless(condition.isNegated, isPresent(condition.field, params));
    case 'number':
      return matchNumber(condition, params);
    case 'moment':
      return `occurred_at ${OPERATORS[condition.comparison]} fromUnixTimestamp64Milli(${params.add('Int64', Math.trunc(condition.atMs))}, 'UTC')`;
    case 'flag': {
      const isSet = condition.name === 'error.handled' ? !condition.value : condition.value;
      return `${condition.name === 'error.handled' ? 'is_unhandled' : 'is_in_app'} = ${isSet ? 'true' : 'false'}`;
    }
    case 'words':
      return unless(
        condition.isNegated,
        `search_text LIKE lowerUTF8(${params.add('String', likePattern(condition.match))})`,
      );
    case 'hashes':
      return unless(condition.isNegated, matchHashes(condition.hashes, params));
    case 'projects':
      return unless(
        condition.isNegated,
        condition.projectIds.length === 0
          ? '0'
          : `project_id IN (${params.addList('UInt64', condition.projectIds)})`,
      );
  }
}

export const unless = (isNegated: boolean, condition: string): string =>
  isNegated ? `NOT (${condition})` : `(${condition})`;

/** Patterns ignore case, exact texts do not. */
function matchText(field: TextField, matches: readonly TextMatch[], params: Params): string {
  const exact = matches
    .filter((match) => match.kind === 'exact')
    .map((match) => exactText(field, match.text));
  const patterns = matches.filter((match) => match.kind === 'pattern');
  const alternatives: string[] = [];
  if (exact.length > 0) alternatives.push(isOneOf(field, exact, params));
  for (const pattern of patterns) alternatives.push(isLike(field, pattern, params));
  return alternatives.join(' OR ') || '0';
}

/** What is stored as lower-case digits may be written with hyphens and capitals. */
const exactText = (field: TextField, text: string): string =>
  field.kind === 'column' && (field.name === 'id' || field.name === 'trace') ? eventHash(text) : text;

function isOneOf(field: TextField, texts: readonly string[], params: Params): string {
  const [only] = texts;
  if (field.kind === 'list') {
    const list = params.addList('String', texts);
    // To have the empty text is to have none.
    return texts.includes('')
      ? `(hasAny(${LIST_COLUMNS[field.name]}, ${list}) OR empty(${LIST_COLUMNS[field.name]}))`
      : `hasAny(${LIST_COLUMNS[field.name]}, ${list})`;
  }
  const value = valueSql(field, params);
  return texts.length === 1
    ? `${value} = ${params.add('String', only)}`
    : `${value} IN (${params.addList('String', texts)})`;
}

function isLike(field: TextField, match: TextMatch, params: Params): string {
  const pattern = params.add('String', likePattern(match));
  return field.kind === 'list'
    ? `arrayExists(value -> value ILIKE ${pattern}, ${LIST_COLUMNS[field.name]})`
    : `${field.kind === 'column' && field.name === 'id' ? 'toString(event_id)' : valueSql(field, params)} ILIKE ${pattern}`;
}

function isPresent(field: EventField, params: Params): string {
  if (field.kind === 'list') return `notEmpty(${LIST_COLUMNS[field.name]})`;
  if (field.kind === 'numbers') return `notEmpty(${NUMBER_COLUMNS[field.name]})`;
  if (field.kind === 'column' && field.name === 'id') return '1';
  return `${valueSql(field, params)} != ''`;
}

function matchNumber(
  { field, comparison, value }: Extract<EventCondition, { kind: 'number' }>,
  params: Params,
): string {
  const bound = params.add('Float64', value);
  if (field.kind !== 'numbers') {
    return `toFloat64OrNull(${valueSql(field, params)}) ${OPERATORS[comparison]} ${bound}`;
  }
  const list = NUMBER_COLUMNS[field.name];
  return comparison === '!='
    ? `NOT arrayExists(value -> value = ${bound}, ${list})`
    : `arrayExists(value -> value ${OPERATORS[comparison]} ${bound}, ${list})`;
}

function matchHashes(hashes: Extract<EventCondition, { kind: 'hashes' }>['hashes'], params: Params): string {
  const byProject = Map.groupBy(hashes, ({ projectId }) => projectId);
  const alternatives = [...byProject].map(
    ([projectId, keys]) =>
      `(project_id = ${params.add('UInt64', projectId)} AND grouping_hash IN (${params.addList(
        'FixedString(32)',
        keys.map(({ hash }) => hash),
      )}))`,
  );
  return alternatives.join(' OR ') || '0';
}

function valueSql(
  field: Exclude<TextField, { kind: 'list' }> | Exclude<NumericField, { kind: 'numbers' }>,
  params: Params,
): string {
  switch (field.kind) {
    case 'column':
      return COLUMNS[field.name];
    case 'attribute':
      return `attributes[${params.add('String', field.name)}]`;
    case 'tag':
      return `tags[${params.add('String', field.key)}]`;
  }
}

const COLUMNS: Readonly<Record<EventColumn, string>> = {
  id: 'event_id',
  type: 'type',
  level: 'level',
  platform: 'platform',
  logger: 'logger',
  title: 'title',
  culprit: 'culprit',
  message: 'message',
  release: 'release',
  dist: 'dist',
  environment: 'environment',
  transaction: 'transaction',
  trace: 'trace_id',
  'user.id': 'user_id',
  'user.email': 'user_email',
  'user.username': 'user_username',
  'user.ip': 'user_ip',
  'sdk.name': 'sdk_name',
  'sdk.version': 'sdk_version',
};

export const OPERATORS: Readonly<Record<Comparison, string>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
