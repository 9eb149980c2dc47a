import { expect, test } from 'vitest';
import type { EventCondition, EventExpression } from '#storage/ports/search.ts';
import { isIndexed } from './indexed-fields.ts';

const text = (name: 'environment' | 'release' | 'level'): EventCondition => ({
  kind: 'text',
  field: { kind: 'column', name },
  matches: [{ kind: 'exact', text: 'a' }],
  isNegated: false,
});
const all = (...parts: EventExpression[]): EventExpression => ({ kind: 'and', parts });

test.each([
  ['nothing', undefined, true],
  ['environment and release', all(text('environment'), { kind: 'or', parts: [text('release')] }), true],
  ['a level beside it', all(text('environment'), text('level')), false],
  [
    'a tag of that name',
    { kind: 'present', field: { kind: 'tag', key: 'release' }, isNegated: false },
    false,
  ],
  ['words', { kind: 'words', match: { kind: 'exact', text: 'a' }, isNegated: false }, false],
  ['a moment', { kind: 'moment', comparison: '<', atMs: 1 }, true],
] as const)('the index is asked for %s: %o', (_, expression, isAsked) => {
  expect(isIndexed(expression)).toBe(isAsked);
});
