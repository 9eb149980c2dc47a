import { expect, test } from 'vitest';
import { isSlug, suggestSlug } from './slug.ts';

test.each([
  ['Web shop', 'web-shop'],
  ['  Ärger & Söhne!  ', 'arger-sohne'],
  ['2026', 'p-2026'],
  ['a'.repeat(80), 'a'.repeat(50)],
  [`${'x'.repeat(49)} y`, 'x'.repeat(49)],
  ['__init__', 'init'],
])('the slug for %j is %j, and is one', (name, slug) => {
  expect(suggestSlug(name)).toBe(slug);
  expect(isSlug(slug)).toBe(true);
});

test('a name without letters and digits suggests nothing', () => {
  expect(suggestSlug('日本')).toBe('');
  expect(suggestSlug('!!!')).toBe('');
});
