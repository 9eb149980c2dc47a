import { firstValue, type QueryEntries, type SearchParams, withQuery } from '#app/url-state.ts';

/** What the sessions of a release are compared with: the release before, or all others. */
export type Comparison = 'previous' | 'others';

/** Without a release before, there are only all others. */
export const readComparison = (params: SearchParams, hasPrevious: boolean): Comparison =>
  hasPrevious && firstValue(params, 'against') !== 'others' ? 'previous' : 'others';

/** The ways to compare, each with its address; none where there is only one. */
export function comparisonsOf(
  path: string,
  entries: QueryEntries,
  current: Comparison,
  hasPrevious: boolean,
): readonly { label: string; href: string; isCurrent: boolean }[] {
  if (!hasPrevious) return [];
  return [
    { label: 'Previous release', href: withQuery(path, entries), isCurrent: current === 'previous' },
    {
      label: 'All others',
      href: withQuery(path, { ...entries, against: 'others' }),
      isCurrent: current === 'others',
    },
  ];
}
