import { expect, test } from 'vitest';
import { expandScopes, isScope } from './scopes.ts';

test('admin includes write, and write includes read, of the same noun only', () => {
  expect([...expandScopes(['event:admin'])].sort()).toEqual(['event:admin', 'event:read', 'event:write']);
  expect([...expandScopes(['project:write'])].sort()).toEqual(['project:read', 'project:write']);
  expect([...expandScopes(['org:read'])]).toEqual(['org:read']);
});

test('project:releases stands alone', () => {
  expect([...expandScopes(['project:releases'])]).toEqual(['project:releases']);
});

test('unknown scopes give nothing, not even what their verb would include', () => {
  expect(expandScopes(['event:everything', 'alerts:admin', 'nonsense', '']).size).toBe(0);
  expect(isScope('alerts:admin')).toBe(false);
});
