import { expect, test } from 'vitest';
import { toStorableJson, toStorableText } from './storable-json.ts';

test('what PostgreSQL cannot hold is removed or replaced, everything else stays', () => {
  expect(toStorableText('a\0b')).toBe('ab');
  expect(toStorableText('half \ud800 pair, whole 😀')).toBe('half \ufffd pair, whole 😀');
  expect(
    JSON.parse(toStorableJson([{ text: '\0"\\\ud83d', nested: { list: ['\0x', 1, null, true] } }])),
  ).toEqual([{ text: '"\\\ufffd', nested: { list: ['x', 1, null, true] } }]);
});
