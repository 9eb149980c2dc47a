import { expect, test } from 'vitest';
import { formatCountChange, formatRate, formatRateChange } from './format-rate.ts';

test.each([
  [1, '100%'],
  [0.999999, '99.99%'],
  [0.99, '99.00%'],
  [0.987, '98.7%'],
  [0.5, '50.0%'],
  [0, '0.00%'],
])('%d is %s', (rate, words) => {
  expect(formatRate(rate)).toBe(words);
});

test('changes have a sign, and none is none', () => {
  expect(formatRateChange(0.99, 0.9875)).toBe('+0.25 points');
  expect(formatRateChange(0.5, 1)).toBe('−50 points');
  expect(formatRateChange(0.5, 0.5)).toBeNull();
  expect(formatCountChange(150, 100)).toBe('+50%');
  expect(formatCountChange(999, 1000)).toBe('−1%');
  expect(formatCountChange(3, 0)).toBe('+3');
  expect(formatCountChange(3, 3)).toBeNull();
});
