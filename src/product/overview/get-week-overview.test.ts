import { expect, test } from 'vitest';
import type { Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import { mondayBefore, openWeeklyReports, rankProjects } from './get-week-overview.ts';

const project = (id: number, slug: string): Project => ({
  id,
  organizationId: 1,
  slug,
  name: slug.toUpperCase(),
  platform: null,
  isInternal: false,
  firstEventAt: null,
  createdAt: 0,
});
/** One error on each of the days of the week before, and so many on each of its own. */
const summary = (projectId: number, perDay: number) => ({
  projectId,
  buckets: [...Array<number>(7).fill(1), ...Array<number>(7).fill(perDay)],
});

test('the loudest project comes first, with the week before beside it', () => {
  const projects = [project(1, 'api'), project(2, 'web'), project(3, 'cron'), project(4, 'app')];
  const summaries = [summary(1, 2), summary(2, 9), summary(3, 0), summary(4, 2)];
  expect(rankProjects(projects, summaries, 3)).toEqual([
    { slug: 'web', name: 'WEB', events: 63, before: 7 },
    { slug: 'api', name: 'API', events: 14, before: 7 },
    { slug: 'app', name: 'APP', events: 14, before: 7 },
  ]);
  expect(rankProjects(projects, summaries, 1)).toHaveLength(1);
});

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
