import type { SavedItem } from '../../saved-searches/saved-menu.tsx';
import type { RowsPageName, RowsState } from './rows-state.ts';

/** A saved question of any dataset; `href` shows it. */
export type SavedQueryView = SavedItem & { href: string; page: RowsPageName };

/** What a question is about, as a list says it: `errors by release: level:fatal`. */
export function describeQuery({ page, query, view, groupBy }: RowsState): string {
  const groups = view === 'groups' && groupBy.length > 0 ? ` by ${groupBy.join(', ')}` : '';
  return `${page}${groups}${query === '' ? '' : `: ${query}`}`;
}
