import { expect, test } from 'vitest';
import type { Project } from '#domain/projects.ts';
import { rankProjects } from './get-week-overview.ts';

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
