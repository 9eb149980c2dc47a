import { expect, test } from 'vitest';
import { dayOf, daysOf, monthOf, startOfDay } from './value-masks.ts';

test('a day is a bit of its month', () => {
  const day = dayOf(Date.UTC(2026, 0, 31, 23, 59));
  expect(startOfDay(day)).toBe(Date.UTC(2026, 0, 31));
  expect(monthOf(day)).toEqual({ month: dayOf(Date.UTC(2026, 0, 1)), bit: 2 ** 30 });
  expect(monthOf(dayOf(Date.UTC(2024, 1, 29)))).toEqual({ month: dayOf(Date.UTC(2024, 1, 1)), bit: 2 ** 28 });
});

test('the days of a month, newest first', () => {
  const month = dayOf(Date.UTC(2026, 2, 1));
  expect(daysOf(month, 2 ** 30 + 5)).toEqual([month + 30, month + 2, month]);
  expect(daysOf(month, 0)).toEqual([]);
});

test('moments that no date can hold become the first or the last day', () => {
  expect(dayOf(-1)).toBe(0);
  expect(dayOf(Date.UTC(2299, 11, 31))).toBe(65_535);
});
