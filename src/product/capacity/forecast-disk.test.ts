import { expect, test } from 'vitest';
import { type DayBytes, forecastDisk } from './forecast-disk.ts';

const NOW_MS = Date.UTC(2026, 2, 20, 12);
const dayBefore = (days: number): string => new Date(NOW_MS - days * 86_400_000).toISOString().slice(0, 10);
const steady = (kind: string, days: number, bytes: number): DayBytes[] =>
  Array.from({ length: days }, (_, age) => ({ kind, day: dayBefore(age), bytes }));

const forecast = (
  days: readonly DayBytes[],
  rest: { usedBytes?: number; budgetBytes?: number; kept?: number } = {},
) =>
  forecastDisk({
    days,
    retentionDays: () => rest.kept ?? 90,
    usedBytes: rest.usedBytes ?? days.reduce((sum, { bytes }) => sum + bytes, 0),
    budgetBytes: rest.budgetBytes ?? 1_000,
    nowMs: NOW_MS,
  });

test('the budget bites when what arrives has filled what is left of it', () => {
  // 8 days of 10 bytes are there; 950 is 87 days more.
  expect(forecast(steady('events', 8, 10), { kept: 365 })).toMatchObject({
    bytesPerDay: 10,
    daysMeasured: 7,
    daysLeft: 87,
  });
});

test('what is dropped by its age makes room: the usage settles', () => {
  const settled = forecast(steady('events', 8, 10), { kept: 30 });
  expect(settled).toMatchObject({ daysLeft: null, settlesAtBytes: 300 });
});

test('what has no day stays, and is not taken for growth', () => {
  expect(forecast(steady('events', 8, 10), { usedBytes: 580, kept: 30 })).toMatchObject({
    bytesPerDay: 10,
    settlesAtBytes: 800,
    daysLeft: null,
  });
  expect(forecast(steady('events', 8, 10), { usedBytes: 880 })).toMatchObject({ daysLeft: 7 });
});

test('today is not over, and says nothing of a day; a few days are better than none', () => {
  const [today, ...before] = steady('events', 4, 10);
  expect(forecast([{ ...today!, bytes: 500 }, ...before])).toMatchObject({
    bytesPerDay: 10,
    daysMeasured: 3,
  });
  expect(forecast([today!])).toMatchObject({ bytesPerDay: null, daysMeasured: 0, daysLeft: null });
  expect(forecast([])).toMatchObject({ bytesPerDay: null, daysLeft: null, settlesAtBytes: 0 });
});

test('a budget that is used up bites now', () => {
  expect(forecast(steady('events', 8, 10), { usedBytes: 960 })).toMatchObject({ daysLeft: 0 });
});

test('each kind grows and goes by itself', () => {
  const days = [...steady('events', 8, 10), ...steady('logs', 8, 100)];
  const { daysLeft, bytesPerDay } = forecastDisk({
    days,
    retentionDays: (kind) => (kind === 'logs' ? 7 : 365),
    usedBytes: 880,
    budgetBytes: 1_700,
    nowMs: NOW_MS,
  });
  expect(bytesPerDay).toBe(110);
  // Logs settle at 700; events may have the other 915.
  expect(daysLeft).toBeGreaterThan(80);
});
