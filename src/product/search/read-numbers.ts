import type { Comparison } from '#storage/ports/search.ts';
import { filterProblem } from './search-problem.ts';
import type { FilterToken, NumberValue } from './syntax/search-tokens.ts';

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
