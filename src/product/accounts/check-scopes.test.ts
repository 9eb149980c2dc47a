import { expect, test } from 'vitest';
import { checkScopes } from './check-scopes.ts';

test('known scopes are kept once each', () => {
  expect(checkScopes(['event:read', 'org:read', 'event:read'])).toEqual(['org:read', 'event:read']);
});

test.each([[[]], [['event:reed']], [['event:read', 'admin']]])('%j is refused', (names) => {
  expect(() => checkScopes(names)).toThrow(expect.objectContaining({ code: 'invalid', field: 'scopes' }));
});
