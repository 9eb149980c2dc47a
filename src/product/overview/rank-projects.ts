import type { ProjectSummary } from '#storage/ports/project-summaries.ts';
import type { Project } from '#storage/ports/projects.ts';

/** A project with its errors of the week and of the one before. */
export type NoisyProject = { slug: string; name: string; events: number; before: number };

const DAYS = 7;

/** Those with the most errors first; silent ones are left out. `summaries` hold fourteen days, oldest first. */
export function rankProjects(
  projects: readonly Project[],
  summaries: readonly Pick<ProjectSummary, 'projectId' | 'buckets'>[],
  limit: number,
): readonly NoisyProject[] {
  return projects
    .flatMap(({ id, slug, name }) => {
      const buckets = summaries.find(({ projectId }) => projectId === id)?.buckets ?? [];
      const sum = (days: readonly number[]) => days.reduce((total, count) => total + count, 0);
      return { slug, name, events: sum(buckets.slice(DAYS)), before: sum(buckets.slice(0, DAYS)) };
    })
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events || a.slug.localeCompare(b.slug))
    .slice(0, limit);
}

type Counted = { id: number; week: { events: number } | null };

/** More events of the week first. */
export const compareFrequency = (a: Counted, b: Counted): number =>
  (b.week?.events ?? 0) - (a.week?.events ?? 0) || b.id - a.id;
