import type { RowsState } from '../rows/rows-state.ts';

/** What a question is about, as a list says it: `errors by release: level:fatal`. */
export function describeQuery({ page, query, view, groupBy }: RowsState): string {
  const groups = view === 'groups' && groupBy.length > 0 ? ` by ${groupBy.join(', ')}` : '';
  return `${page}${groups}${query === '' ? '' : `: ${query}`}`;
}
