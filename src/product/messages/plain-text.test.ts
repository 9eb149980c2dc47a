import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { counted, plainLine, shorten, utcMinute } from './plain-text.ts';

test('a line is one line, cut at its end, and all of it can be seen', () => {
  expect(plainLine('  a\n\tb  ', 10)).toBe('a b');
  expect(plainLine('abcdefghij', 5)).toBe('abcd…');
  expect(plainLine('a\u202eb', 20)).toBe('a[U+202E]b');
});

test('nothing is cut in two', () => {
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
  expect(shorten('abcd', 4)).toBe('abcd');
  expect(plainLine('😀'.repeat(1_000), 6)).toBe('😀😀…');
});

test('a megabyte costs no more than a line', () => {
  withinMs(200, () => plainLine(' \u202e'.repeat(1_000_000), 100));
});

test('counts and moments in words', () => {
  expect([counted(1, 'issue'), counted(5_000, 'issue'), counted(0, 'event')]).toEqual([
    '1 issue',
    '5,000 issues',
    '0 events',
  ]);
  expect(utcMinute(Date.UTC(2026, 2, 1, 12, 34, 56))).toBe('2026-03-01 12:34 UTC');
});
