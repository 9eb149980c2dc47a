import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORECAST_HOURS, forecastHour } from './escalation-forecast.ts';

const WEEK = Array.from({ length: FORECAST_HOURS }, () => 0);
/** A week in which the same hour had the given counts, yesterday's first. */
function weekWith(sameHours: readonly number[], otherwise = 0): number[] {
  const hourly = WEEK.map(() => otherwise);
  for (const [index, events] of sameHours.entries()) hourly[FORECAST_HOURS - (index + 1) * 24] = events;
  return hourly;
}
const forecast = (hourly: readonly number[], knownHours = FORECAST_HOURS, startedWith = 0) =>
  forecastHour({ hourly, knownHours, startedWith });

test('is the median of the same hour over seven days, with room for chance', () => {
  expect(forecast(weekWith([100, 90, 110, 100, 5_000, 0, 100]))).toBe(100 + 30);
  expect(forecast(weekWith([10_000, 10_000, 10_000, 10_000, 0, 0, 0]))).toBe(10_000 + 300);
});

test('other hours of the day do not matter', () => {
  expect(forecast(weekWith([64, 64, 64, 64, 64, 64, 64], 9_000))).toBe(64 + 24);
});

test('is never below its floor', () => {
  expect(forecast(WEEK)).toBe(10);
  expect(forecast([], 0)).toBe(10);
  expect(forecast(weekWith([1, 2, 1, 2, 1, 2, 1]))).toBe(10);
});

test('days before the issue was known are no quiet days', () => {
  const hourly = weekWith([400, 400]);
  expect(forecast(hourly)).toBe(10);
  expect(forecast(hourly, 50)).toBe(400 + 60);
});

test('an issue younger than a day is measured by all its hours', () => {
  const hourly = [...WEEK.slice(3), 900, 100, 400];
  expect(forecast(hourly, 3)).toBe(400 + 60);
});

test('what an hour had when the issue was archived is not unusual', () => {
  expect(forecast([], 0, 2_500)).toBe(2_500 + 150);
  expect(forecast(weekWith([100, 100, 100, 100, 100, 100, 100]), FORECAST_HOURS, 2_500)).toBe(2_650);
});

test('is a whole number, and never less with more events', () => {
  const hourly = fc.array(fc.nat(100_000), { minLength: FORECAST_HOURS, maxLength: FORECAST_HOURS });
  fc.assert(
    fc.property(hourly, fc.integer({ min: 0, max: FORECAST_HOURS }), (history, knownHours) => {
      const expected = forecast(history, knownHours);
      expect(Number.isSafeInteger(expected)).toBe(true);
      expect(
        forecast(
          history.map((events) => events * 2),
          knownHours,
        ),
      ).toBeGreaterThanOrEqual(expected);
    }),
  );
});
