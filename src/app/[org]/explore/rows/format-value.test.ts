import { expect, test } from 'vitest';
import { formatValue } from './format-value.ts';

test.each([
  [12_408, 'integer', '12.4k'],
  [340.2, 'duration', '340 ms'],
  [0.0125, 'percentage', '1.3%'],
  [0.042, 'rate', '0.042'],
  [0.00042, 'number', '0.0004'],
  [45_678.9, 'number', '45.6k'],
  [null, 'duration', '–'],
] as const)('%j as %s is %s', (value, type, expected) => {
  expect(formatValue(value, type)).toBe(expected);
});
