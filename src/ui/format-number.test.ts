import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatExact, formatPlural, formatShare } from './format-number.ts';

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
