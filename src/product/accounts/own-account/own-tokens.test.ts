import { expect, test } from 'vitest';
import { checkScopes } from './own-tokens.ts';

test('known scopes are kept once each', () => {
  expect(checkScopes(['event:read', 'org:read', 'event:read'])).toEqual(['org:read', 'event:read']);
});

test.each([[[]], [['event:reed']], [['event:read', 'admin']]])('%j is refused', (names) => {
  expect(() => checkScopes(names)).toThrow(expect.objectContaining({ code: 'invalid', field: 'scopes' }));
});
