import { describe, expect, it, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatCountChange,
  formatExact,
  formatPlural,
  formatRate,
  formatRateChange,
  formatShare,
} from './format-number.ts';

describe('formatCount', () => {
  it('is exact below a thousand and short above', () => {
    expect([0, 7, 999].map(formatCount)).toEqual(['0', '7', '999']);
    expect([1_000, 1_234, 12_408, 842_999, 3_140_000].map(formatCount)).toEqual([
      '1k',
      '1.2k',
      '12.4k',
      '842k',
      '3.1M',
    ]);
  });

  it('never shows more than there is', () => {
    expect(formatCount(999_999)).toBe('999k');
    expect(formatCount(1_999)).toBe('1.9k');
  });
});

describe('formatShare', () => {
  it('does not call something nothing, nor less than all everything', () => {
    expect(formatShare(1, 10_000)).toBe('<1%');
    expect(formatShare(9_999, 10_000)).toBe('>99%');
    expect(formatShare(10, 10)).toBe('100%');
    expect(formatShare(0, 10)).toBe('0%');
    expect(formatShare(0, 0)).toBe('0%');
    expect(formatShare(1, 3)).toBe('33%');
  });
});

describe('words', () => {
  it('counts in full', () => {
    expect(formatExact(12_408)).toBe('12,408');
    expect(formatPlural(1, 'event')).toBe('1 event');
    expect(formatPlural(0, 'event')).toBe('0 events');
    expect(formatBytes(512)).toBe('512 B');
    expect(formatBytes(4_500)).toBe('4.4 KB');
    expect(formatBytes(200 * 1024 * 1024)).toBe('200 MB');
  });
});

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
