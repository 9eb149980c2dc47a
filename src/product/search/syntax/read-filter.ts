import { readAggregateKey, readKey } from './read-key.ts';
import {
  readBoolean,
  readDate,
  readDuration,
  readNumber,
  readNumbers,
  readPercentage,
  readRelativeDate,
  readSize,
  readText,
  readTexts,
} from './read-value.ts';
import type { SearchKeys } from './search-keys.ts';
import {
  type FilterForm,
  type FilterToken,
  readPattern,
  type SearchKey,
  type SearchOperator,
  type SearchValue,
} from './search-tokens.ts';

/** The filter that begins here, `key:value` in any of its forms; null when none does. */
export function readFilter(text: string, at: number, keys: SearchKeys): FilterToken | null {
  const isNegated = text[at] === '!';
  const keyAt = isNegated ? at + 1 : at;
  const aggregate = readAggregateKey(text, keyAt);
  const key = aggregate && text[aggregate.end] === ':' ? aggregate : readKey(text, keyAt);
  if (!key || text[key.end] !== ':') return null;
  const read =
    key.kind === 'aggregate' ? readAggregateValue(text, key, keys) : readValue(text, key, isNegated, keys);
  if (!read) return null;
  return { kind: 'filter', isNegated, key, start: at, end: read.value.end, ...read };
}

type ValueRead = { form: FilterForm; operator: SearchOperator; value: SearchValue; problem: string | null };

function readValue(text: string, key: NonAggregateKey, isNegated: boolean, keys: SearchKeys): ValueRead {
  const at = key.end + 1;
  const typed = readTyped(text, at, key, isNegated, keys);
  if (typed) return { problem: emptyItemProblem(typed.value), ...typed };
  const form = key.kind === 'simple' && !key.isQuoted ? WORD_FORMS[key.name] : undefined;
  const isList = readTexts(text, at) !== null;
  if (form && !isList) {
    const value = readText(text, at);
    return { form, operator: '', value, problem: textProblem(value) };
  }
  const wildcard = readWildcardOperator(text, at);
  const textAt = at + wildcard.length;
  const list = readTexts(text, textAt);
  if (list) {
    return { form: 'textIn', operator: wildcard.operator, value: list, problem: emptyItemProblem(list) };
  }
  const compared = key.kind === 'simple' && keys.isOrdered(key.name) ? readOperator(text, textAt) : '';
  const value = readText(text, textAt + compared.length);
  return {
    form: 'text',
    operator: wildcard.operator || compared,
    value,
    problem: typeProblem(key, isNegated, keys) ?? textProblem(value),
  };
}

type NonAggregateKey = Exclude<SearchKey, { kind: 'aggregate' }>;

const WORD_FORMS: Readonly<Record<string, 'has' | 'is' | undefined>> = { has: 'has', is: 'is' };

/** A value of the type that the key needs; null when it is not written like that. */
function readTyped(
  text: string,
  at: number,
  key: NonAggregateKey,
  isNegated: boolean,
  keys: SearchKeys,
): Pick<ValueRead, 'form' | 'operator' | 'value'> | null {
  const operator = readOperator(text, at);
  const valueAt = at + operator.length;
  if (key.kind === 'tag') {
    if (key.type !== 'number') return null;
    return readNumeric(text, at, operator);
  }
  if (keys.isDate(key.name) && !isNegated) {
    const date = readDate(text, valueAt);
    if (date) return { form: operator === '' ? 'specificDate' : 'date', operator, value: date };
    const relative = readRelativeDate(text, at);
    if (relative) return { form: 'relativeDate', operator: '', value: relative };
  }
  if (keys.isDuration(key.name)) {
    const duration = readDuration(text, valueAt);
    if (duration) return { form: 'duration', operator, value: duration };
  }
  if (keys.isBoolean(key.name)) {
    const boolean = readBoolean(text, at);
    if (boolean) return { form: 'boolean', operator: '', value: boolean };
  }
  return keys.isNumber(key.name) ? readNumeric(text, at, operator) : null;
}

function readNumeric(
  text: string,
  at: number,
  operator: SearchOperator,
): Pick<ValueRead, 'form' | 'operator' | 'value'> | null {
  const numbers = readNumbers(text, at);
  if (numbers) return { form: 'numericIn', operator: '', value: numbers };
  const number = readNumber(text, at + operator.length);
  return number && { form: 'numeric', operator, value: number };
}

function readAggregateValue(
  text: string,
  key: Extract<SearchKey, { kind: 'aggregate' }>,
  keys: SearchKeys,
): ValueRead | null {
  const at = key.end + 1;
  const operator = readOperator(text, at);
  const valueAt = at + operator.length;
  const hasParameter = (test: (name: string) => boolean) =>
    key.parameters.some((parameter) => test(parameter?.text ?? ''));
  const readers: readonly [FilterForm, boolean, (text: string, at: number) => SearchValue | null][] = [
    ['aggregateDuration', hasParameter(keys.isDuration), readDuration],
    ['aggregateSize', true, readSize],
    ['aggregateNumeric', true, readNumber],
    ['aggregatePercentage', hasParameter(keys.isPercentage), readPercentage],
    ['aggregateDate', hasParameter(keys.isDate), readDate],
    ['aggregateRelativeDate', true, readRelativeDate],
  ];
  for (const [form, isPossible, read] of readers) {
    const value = isPossible ? read(text, valueAt) : null;
    if (!value) continue;
    const problem = key.parameters.includes(null) ? 'has an empty function parameter' : null;
    return { form, operator, value, problem };
  }
  return null;
}

const readOperator = (text: string, at: number): SearchOperator =>
  (readPattern(OPERATOR, text, at) ?? '') as SearchOperator;
const OPERATOR = />=|<=|>|<|=|!=/y;

function readWildcardOperator(text: string, at: number): { operator: SearchOperator; length: number } {
  WILDCARD_OPERATOR.lastIndex = at;
  const match = WILDCARD_OPERATOR.exec(text);
  const operator = match?.[1] && WILDCARD_OPERATORS[match[1]];
  return operator ? { operator, length: match[0].length } : { operator: '', length: 0 };
}
const WILDCARD_OPERATOR = /\uF00D(Contains|StartsWith|EndsWith)\uF00D/y;
const WILDCARD_OPERATORS: Readonly<Record<string, SearchOperator | undefined>> = {
  Contains: 'contains',
  StartsWith: 'startsWith',
  EndsWith: 'endsWith',
};

function typeProblem(key: NonAggregateKey, isNegated: boolean, keys: SearchKeys): string | null {
  if (key.kind === 'tag') {
    return key.type === 'number' ? 'needs a number, for example 500 or 1.5k' : null;
  }
  if (keys.isDuration(key.name)) return 'needs a duration, for example 500ms or 2h';
  if (keys.isDate(key.name)) {
    return isNegated
      ? 'is a time, which cannot be negated: use < and >= instead of !'
      : 'needs a time: -24h (within the last day), +24h (longer ago), or >2026-01-31T12:00:00';
  }
  if (keys.isBoolean(key.name)) return 'needs true or false';
  if (keys.isNumber(key.name)) return 'needs a number, for example 500 or >1k';
  return null;
}

function textProblem(value: { text: string; isQuoted: boolean }): string | null {
  if (value.isQuoted) return null;
  if (value.text === '') return 'needs a value';
  return /(?:^|[^\\])"/.test(value.text)
    ? String.raw`has a quote within its value: put quotes around the whole value, or write \" for a quote`
    : null;
}

function emptyItemProblem(value: SearchValue): string | null {
  const hasEmpty = (value.kind === 'texts' || value.kind === 'numbers') && value.items.includes(null);
  return hasEmpty ? 'has a list with an empty value: remove the extra comma' : null;
}
