import { expect, test } from 'vitest';
import { safeNext } from './safe-next.ts';

test.each(['/main/issues', '/main/issues?query=is%3Aunresolved#top', '/'])('%s is kept', (path) => {
  expect(safeNext(path)).toBe(path);
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  'main/issues',
  '',
  null,
  undefined,
])('%j leads to the start page', (path) => {
  expect(safeNext(path)).toBe('/');
});
