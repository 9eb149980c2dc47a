import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Comparison } from '#storage/ports/search.ts';
import { filterProblem, problemAt } from './search-problem.ts';
import type { FilterToken, NumberValue, SearchValue } from './syntax/search-tokens.ts';

/** Alternatives, unless negated: then none of them may hold. */
export type NumberTest = { comparison: Comparison; value: number };

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };
const NEGATED: Readonly<Record<Comparison, Comparison>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** Throws Invalid when it is no number. */
export function readNumbers(filter: FilterToken): readonly NumberTest[] {
  const { value } = filter;
  const operator = COMPARISONS.find((comparison) => comparison === filter.operator) ?? '=';
  const comparison = filter.isNegated ? NEGATED[operator] : operator;
  if (value.kind === 'number') return [{ comparison, value: toNumber(value) }];
  if (value.kind === 'numbers') {
    return value.items.filter((item) => item !== null).map((item) => ({ comparison, value: toNumber(item) }));
  }
  if (value.kind === 'duration' && (value.unit === 'm' || value.unit === 'M')) {
    return [{ comparison, value: Number(value.amount) * 1e6 }];
  }
  throw filterProblem(filter, filter.problem ?? 'needs a number, for example 500 or >1k');
}

const COMPARISONS: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>='];

const toNumber = ({ amount, unit }: NumberValue): number => Number(amount) * (UNITS[unit.toLowerCase()] ?? 1);

export type Bound = { comparison: Comparison; atMs: number };

/** A moment without a comparison means about then. */
const ABOUT_MS = 5 * MINUTE_MS;
const UNIT_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
/** The largest moment that both stores can hold. */
const MOMENT_MAX_MS = Date.UTC(2261, 0, 1);

/** Bounds that must all hold: `-24h` is newer, `+24h` older; dates are in UTC, times ±5 minutes. Throws Invalid. */
export function readMoments(filter: FilterToken, nowMs: number): readonly Bound[] {
  const { value } = filter;
  if (value.kind === 'relativeDate') {
    const atMs = nowMs - Number(value.amount) * (UNIT_MS[value.unit] ?? DAY_MS);
    return [{ comparison: value.sign === '-' ? '>=' : '<=', atMs: Math.max(0, atMs) }];
  }
  if (value.kind !== 'date') throw filterProblem(filter, filter.problem ?? 'needs a time');
  const atMs = readMoment(value);
  if (
    filter.operator === '<' ||
    filter.operator === '<=' ||
    filter.operator === '>' ||
    filter.operator === '>='
  ) {
    return [{ comparison: filter.operator, atMs }];
  }
  if (filter.operator === '!=') throw filterProblem(filter, 'cannot be negated: use < or >');
  const isDay = !value.text.includes('T');
  return isDay
    ? [
        { comparison: '>=', atMs },
        { comparison: '<', atMs: atMs + DAY_MS },
      ]
    : [
        { comparison: '>=', atMs: atMs - ABOUT_MS },
        { comparison: '<', atMs: atMs + ABOUT_MS },
      ];
}

/** Milliseconds since the epoch. A time without a zone is in UTC. */
function readMoment(value: Extract<SearchValue, { kind: 'date' }>): number {
  const [, day = '', time = '', zone = ''] = DATE.exec(value.text) ?? [];
  const text = `${day}${time || 'T00:00:00'}${zone || 'Z'}`;
  const atMs = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  // JavaScript takes 30 February for 2 March.
  const isReal = !Number.isNaN(atMs) && Number(day.slice(8)) === new Date(`${day}T00:00:00Z`).getUTCDate();
  if (!isReal || atMs < 0 || atMs > MOMENT_MAX_MS) {
    throw problemAt(
      value,
      `"${value.text}" at % is not a valid time: use a format such as 2026-01-31T12:00:00`,
    );
  }
  return atMs;
}
const DATE = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:\d{2})?$/;
