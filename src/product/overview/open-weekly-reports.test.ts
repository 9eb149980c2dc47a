import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { mondayBefore, openWeeklyReports } from './open-weekly-reports.ts';

const MONDAY = Date.UTC(2026, 10, 23);

test('weeks begin on Monday, in UTC', () => {
  expect(new Date(MONDAY).getUTCDay()).toBe(1);
  expect(mondayBefore(MONDAY)).toBe(MONDAY);
  expect(mondayBefore(MONDAY - 1)).toBe(MONDAY - 7 * 24 * HOUR_MS);
  expect(mondayBefore(MONDAY + 6 * 24 * HOUR_MS)).toBe(MONDAY);
});

test.each([
  [6.9, false],
  [7, true],
  [30.9, true],
  [31, false],
  [24 * 6, false],
])('%d hours after Monday began, mails begin: %s', async (hours, isDue) => {
  const asked: unknown[] = [];
  const reports = {
    listActiveOrganizations: async (range: unknown) => {
      asked.push(range);
      return [3, 5];
    },
    open: async (organizationId: number, weekStart: number) => {
      asked.push([organizationId, weekStart]);
      return organizationId;
    },
  };
  const weekStart = MONDAY - 7 * 24 * HOUR_MS;
  expect(await openWeeklyReports({ reports }, MONDAY + hours * HOUR_MS)).toBe(isDue ? 8 : 0);
  expect(asked).toEqual(isDue ? [{ fromMs: weekStart, toMs: MONDAY }, [3, weekStart], [5, weekStart]] : []);
});
