import type { RowFunction } from '#product/explore/rows/row-functions.ts';
import { moment } from './answer.ts';

/** A value of a function: `-` for none, a time for dates, `12.5%` for shares, else at most six digits. */
export function numberText({ type }: Pick<RowFunction, 'type'>, value: number | null): string {
  if (value === null) return '-';
  if (type === 'date') return moment(value);
  if (type === 'percentage') return `${Number((value * 100).toFixed(2))}%`;
  return String(Number(value.toPrecision(6)));
}

/** What a column of values is, with the unit of durations. */
export const functionTitle = ({ name, type }: RowFunction): string =>
  type === 'duration' ? `${name} in ms` : name;
