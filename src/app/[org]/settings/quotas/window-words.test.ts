import { expect, test } from 'vitest';
import { timeLeft, windowLabel, windowOptions } from './window-words.ts';

test('a window is named by the largest unit that it is whole in', () => {
  expect([1, 45, 60, 600, 3_600, 5_400, 86_400, 2_592_000].map(windowLabel)).toEqual([
    'second',
    '45 seconds',
    'minute',
    '10 minutes',
    'hour',
    '90 minutes',
    'day',
    '30 days',
  ]);
});

test('what is left of a window is rounded up', () => {
  const MINUTE_MS = 60_000;
  expect(
    [0, 1_500, 61_000, 119_000, 42 * MINUTE_MS, 90 * MINUTE_MS, 150 * MINUTE_MS, 50 * 60 * MINUTE_MS].map(
      timeLeft,
    ),
  ).toEqual([
    '1 second',
    '2 seconds',
    '61 seconds',
    '119 seconds',
    '42 minutes',
    '90 minutes',
    '3 hours',
    '3 days',
  ]);
});

test('a window that was chosen elsewhere can be kept', () => {
  expect(windowOptions(90, 3_600).map(({ value }) => value)).toEqual(['60', '90', '600', '3600']);
  expect(windowOptions(60).map(({ label }) => label)).toEqual([
    'per minute',
    'per 10 minutes',
    'per hour',
    'per 6 hours',
    'per day',
    'per 7 days',
    'per 30 days',
  ]);
});
