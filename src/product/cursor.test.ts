import { expect, test } from 'vitest';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';

const PLACE = z.object({ at: z.number().int(), id: z.string() });

test('a cursor reads back as the place it was made of', () => {
  const place = { at: 1_700_000_000_000, id: 'ff' };
  expect(decodeCursor(encodeCursor(place), PLACE)).toEqual(place);
});

test('a cursor needs no escaping in an address or in a Link header', () => {
  expect(encodeCursor({ at: 1, id: '??>>~~ "ü"' })).toMatch(/^[\w-]+$/);
});

test('no cursor is the beginning', () => {
  expect(decodeCursor(null, PLACE)).toBeNull();
  expect(decodeCursor('', PLACE)).toBeNull();
});

test.each([
  '0:0:0',
  '%%%',
  'e30',
  'bm90IGpzb24',
  encodeCursor({ at: 'now', id: 'ff' }),
  encodeCursor(null),
  'A'.repeat(513),
])('refuses %s as invalid', (text) => {
  expect(() => decodeCursor(text, PLACE)).toThrow(
    expect.objectContaining({ code: 'invalid', field: 'cursor' }),
  );
});
