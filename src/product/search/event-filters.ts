import {
  EVERYTHING,
  type EventExpression,
  type NumericField,
  type TextField,
  type TextMatch,
} from '#storage/ports/search.ts';
import { type EventKey, eventKeyNamed, eventKeyOf } from './event-fields.ts';
import { readMoments, readNumbers } from './read-numbers.ts';
import { filterProblem } from './search-problem.ts';
import type { FilterToken } from './syntax/search-tokens.ts';
import { readMatches, readTexts, toWithin, unescapeText } from './text-match.ts';

/** What a filter asks of one event. Throws Invalid. */
export function eventFilter(filter: FilterToken, nowMs: number): EventExpression {
  if (filter.form === 'has' || isHasList(filter)) return hasFilter(filter);
  const key = eventKeyOf(filter.key);
  switch (key.kind) {
    case 'text':
      return textFilter(filter, key.field);
    case 'within':
      refuseProblem(filter);
      return within(filter);
    case 'numbers':
      return numberFilter(filter, { kind: 'numbers', name: key.name });
    case 'moment':
      return {
        kind: 'and',
        parts: readMoments(filter, nowMs).map((bound) => ({ kind: 'moment', ...bound })),
      };
    case 'flag':
      return flagFilter(filter, key);
    case 'elsewhere':
      throw filterProblem(filter, key.reason);
  }
}

const isHasList = ({ key, value }: FilterToken): boolean =>
  key.kind === 'simple' && key.name === 'has' && !key.isQuoted && value.kind === 'texts';

function textFilter(filter: FilterToken, field: TextField): EventExpression {
  if (filter.value.kind === 'number' || filter.value.kind === 'numbers') {
    if (field.kind === 'tag' || field.kind === 'attribute') return numberFilter(filter, field);
  }
  refuseProblem(filter);
  const matches = readMatches(filter);
  const isType = field.kind === 'list' && field.name === 'error.type';
  return {
    kind: 'text',
    field,
    matches: isType ? matches.map(ignoringCase) : matches,
    isNegated: filter.isNegated,
  };
}

/** Types of exceptions are told apart by more than case; who types them should not have to care. */
const ignoringCase = (match: TextMatch): TextMatch =>
  match.kind === 'exact' && match.text !== '' ? { kind: 'pattern', parts: [match.text] } : match;

function within(filter: FilterToken): EventExpression {
  const words = readTexts(filter).map(
    ({ text }): EventExpression => ({ kind: 'words', match: toWithin(text), isNegated: filter.isNegated }),
  );
  return { kind: filter.isNegated ? 'and' : 'or', parts: words };
}

function numberFilter(filter: FilterToken, field: NumericField): EventExpression {
  const tests = readNumbers(filter);
  return {
    kind: filter.isNegated ? 'and' : 'or',
    parts: tests.map((test) => ({ kind: 'number', field, ...test })),
  };
}

function flagFilter(filter: FilterToken, key: Extract<EventKey, { kind: 'flag' }>): EventExpression {
  if (filter.value.kind !== 'boolean') throw filterProblem(filter, filter.problem ?? 'needs true or false');
  const isTrue = /^(?:true|1)$/i.test(filter.value.text);
  return { kind: 'flag', name: key.name, value: isTrue !== (filter.isNegated !== key.isReversed) };
}

function hasFilter(filter: FilterToken): EventExpression {
  refuseProblem(filter);
  const parts = readTexts(filter).map(({ text }) => present(filter, unescapeText(text)));
  return { kind: filter.isNegated ? 'and' : 'or', parts };
}

function present(filter: FilterToken, name: string): EventExpression {
  const key = eventKeyNamed(name);
  switch (key.kind) {
    case 'text':
      return { kind: 'present', field: key.field, isNegated: filter.isNegated };
    case 'within':
      return { kind: 'present', field: { kind: 'column', name: 'message' }, isNegated: filter.isNegated };
    case 'numbers':
      return { kind: 'present', field: { kind: 'numbers', name: key.name }, isNegated: filter.isNegated };
    case 'moment':
    case 'flag':
      return filter.isNegated ? { kind: 'or', parts: [] } : EVERYTHING;
    case 'elsewhere':
      throw filterProblem(filter, `does not support "${name.slice(0, 80)}": it ${key.reason}`);
  }
}

/** Throws Invalid when the value cannot be what the key needs. */
export function refuseProblem(filter: FilterToken): void {
  if (filter.problem !== null) throw filterProblem(filter, filter.problem);
}
