import type { NumberType } from '#product/explore/rows/function-types.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatCount, formatExact, formatRate } from '#ui/format-number.ts';

/** A number as it is shown, with its unit; a dash for none. Dates have a component of their own. */
export function formatValue(value: number | null, type: NumberType): string {
  if (value === null) return '–';
  switch (type) {
    case 'integer':
      return formatCount(value);
    case 'duration':
      return formatElapsed(value * 1_000);
    case 'percentage':
      return formatRate(value);
    case 'rate':
      return formatDigits(value);
    case 'date':
      return new Date(value).toISOString();
    case 'number':
      return Math.abs(value) >= 10_000 ? formatCount(Math.round(value)) : formatDigits(value);
  }
}

/** In full, for a hint beside what was shortened. */
export const formatValueExactly = (value: number | null, type: NumberType): string =>
  value === null ? 'no value' : type === 'integer' ? formatExact(value) : formatValue(value, type);

/** Three digits that count: `0.042`, `1.23`, `456`. */
function formatDigits(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return size < 0.001 ? value.toPrecision(1) : String(Number(value.toFixed(digits)));
}
