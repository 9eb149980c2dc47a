import { asOneTerm } from '#product/search/syntax/as-one-term.ts';
import { plainTerm, searchTerm } from '../../search-box/search-term.ts';
import type { RowsPageName } from './rows-state.ts';

/** Columns of errors with several values in one cell, which no search could name. */
const LISTS = /^(?:error\.(?:type|value|mechanism)|stack\.(?!in_app))/;

/** The term of a search that finds rows with the value; null where no search says that. */
export function valueTerm(page: RowsPageName, field: string, value: string): string | null {
  if (field === 'timestamp') return null;
  if (page !== 'errors') return plainTerm(field, value);
  if (LISTS.test(field) && value.includes(', ')) return null;
  // An issue that was deleted has no name.
  if (field === 'issue') return value === '' ? null : searchTerm('issue', value);
  if (field === 'user') {
    // By the first thing that is known of a user: `id:7`.
    const [, known, of] = /^(id|email|username|ip):(.*)$/s.exec(value) ?? [];
    return known && of !== undefined ? searchTerm(`user.${known}`, of) : null;
  }
  return searchTerm(field, value);
}

/** The search with one more term, unless it has it. */
export function withTerm(query: string, term: string): string {
  const own = asOneTerm(query);
  const hasTerm = own === query.trim() && ` ${query} `.includes(` ${term} `);
  return hasTerm ? query : `${own} ${term}`.trim();
}
