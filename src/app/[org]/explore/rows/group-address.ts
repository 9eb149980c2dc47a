import { type RowsPlace, rowsHref } from './rows-state.ts';
import { valueTerm, withTerm } from './value-term.ts';

/** The rows of one group; without keys all rows of the question. */
export function groupHref(place: RowsPlace, keys: readonly string[]): string {
  const { page, groupBy, query } = place.state;
  const terms = keys.map((key, index) => valueTerm(page, groupBy[index] ?? '', key));
  const narrowed = terms.reduce<string>((all, term) => (term === null ? all : withTerm(all, term)), query);
  return rowsHref(place, { query: narrowed, view: 'samples', sort: null });
}
