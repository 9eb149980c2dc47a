import { expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#lib/time.ts';
import { nextSlot } from './schedule.ts';

const NOW = Date.UTC(2026, 10, 27, 12);

test('slots of a monitor are an interval apart, whenever one asks', () => {
  const first = nextSlot(7, 60, NOW);
  expect(first).toBeGreaterThan(NOW);
  expect(first).toBeLessThanOrEqual(NOW + 60 * SECOND_MS);
  expect(nextSlot(7, 60, first - 1)).toBe(first);
  expect(nextSlot(7, 60, first)).toBe(first + 60 * SECOND_MS);
  // After an hour away the next one is still on the same grid.
  expect((nextSlot(7, 60, first + HOUR_MS + 1_234) - first) % (60 * SECOND_MS)).toBe(0);
});

test('monitors are spread over the interval', () => {
  const perSecond = new Array<number>(60).fill(0);
  for (let id = 1; id <= 1_000; id++)
    perSecond[Math.floor((nextSlot(id, 60, NOW) - NOW) / SECOND_MS) % 60]!++;
  // Evenly they would be 16.7.
  expect(Math.max(...perSecond)).toBeLessThan(40);
  expect(Math.min(...perSecond)).toBeGreaterThan(2);
});
