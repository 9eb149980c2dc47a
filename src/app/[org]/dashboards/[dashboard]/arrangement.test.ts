import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved, resized, type WidgetSize } from './arrangement.ts';

const sizes: readonly WidgetSize[] = ['a', 'b', 'c'].map((id) => ({ id, title: id, width: 3, height: 2 }));
const ids = (list: readonly WidgetSize[]) => list.map(({ id }) => id).join('');

test.each([
  ['a', 1, 'bac'],
  ['a', 5, 'bca'],
  ['c', -1, 'acb'],
  ['c', -9, 'cab'],
  ['b', 0, 'abc'],
  ['x', 1, 'abc'],
])('%s moved by %i makes %s', (id, by, expected) => {
  expect(ids(moved(sizes, id, by))).toBe(expected);
});

test('sizes stay within the grid, and nothing gets lost', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    by: fc.integer({ min: -9, max: 9 }),
    x: fc.integer({ min: -9, max: 9 }),
    y: fc.integer({ min: -9, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const list = steps.reduce((now, { id, by, x, y }) => resized(moved(now, id, by), id, { x, y }), sizes);
      expect(list.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
      for (const { width, height } of list) {
        expect(width >= 1 && width <= 6 && height >= 1 && height <= 4).toBe(true);
      }
    }),
  );
});
