import { refuseProblem } from './event-filters.ts';
import { containsInOrder } from './releases.ts';
import { type SearchScope, unknownValue } from './search-problem.ts';
import type { FilterToken } from './syntax/search-tokens.ts';
import { readTexts, unescapeText } from './text-match.ts';

/** What names a project, in searches for issues and for events. */
export const PROJECT_KEYS = ['project', 'project.name', 'project.id', 'project_id'] as const;

/** Projects by slug or number; `*` stands for anything. Throws Invalid for one that is not searched. */
export function readProjects(
  filter: FilterToken,
  scope: Pick<SearchScope, 'projects'>,
): { kind: 'projects'; projectIds: readonly number[]; isNegated: boolean } {
  refuseProblem(filter);
  const wanted = new Set<number>();
  for (const value of valuesOf(filter)) {
    const name = unescapeText(value.text).toLowerCase();
    const pattern = name.includes('*') ? name.split('*') : null;
    const found = scope.projects.filter(({ slug, id }) =>
      pattern ? containsInOrder(slug, pattern) : slug === name || String(id) === name,
    );
    if (found.length === 0 && !pattern) {
      const slugs = scope.projects.map(({ slug }) => slug);
      const possible = slugs.slice(0, 10).join(', ') || 'none: no projects are selected';
      throw unknownValue(filter, value, possible, slugs);
    }
    for (const { id } of found) wanted.add(id);
  }
  return { kind: 'projects', projectIds: [...wanted], isNegated: filter.isNegated };
}

function valuesOf(filter: FilterToken): readonly { text: string; start: number }[] {
  const { value } = filter;
  if (value.kind === 'number') return [{ text: value.amount, start: value.start }];
  if (value.kind === 'numbers') {
    return value.items.filter((item) => item !== null).map(({ amount, start }) => ({ text: amount, start }));
  }
  return readTexts(filter);
}
