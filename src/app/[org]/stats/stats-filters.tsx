'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { RANGE_LABELS, withQuery } from '#app/url-state.ts';
import { Select } from '#ui/select.tsx';
import { STATS_RANGES, type StatsRange } from './stats-view.ts';

const ALL_PROJECTS = '';

/** Project and time range; both live in the URL. */
export function StatsFilters({
  path,
  projects,
  projectSlugs,
  range,
  category,
}: {
  path: string;
  projects: readonly { slug: string; name: string }[];
  projectSlugs: readonly string[];
  range: StatsRange;
  category: string | null;
}) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const show = (project: readonly string[], nextRange: string) =>
    startTransition(() => router.push(withQuery(path, { project, range: nextRange, category })));
  const several =
    projectSlugs.length > 1 ? [{ value: 'several', label: `${projectSlugs.length} projects` }] : [];
  return (
    <div className="flex flex-wrap gap-2" aria-busy={isPending}>
      <Select
        label="Project"
        value={projectSlugs.length > 1 ? 'several' : (projectSlugs[0] ?? ALL_PROJECTS)}
        options={[
          { value: ALL_PROJECTS, label: 'All projects' },
          ...several,
          ...projects.map((project) => ({ value: project.slug, label: project.name })),
        ]}
        onValueChange={(slug) => {
          if (slug !== 'several') show(slug === ALL_PROJECTS ? [] : [slug], range);
        }}
      />
      <Select
        label="Time range"
        value={range}
        options={(Object.keys(STATS_RANGES) as StatsRange[]).map((each) => ({
          value: each,
          label: RANGE_LABELS[each],
        }))}
        onValueChange={(next) => show(projectSlugs, next)}
      />
    </div>
  );
}
