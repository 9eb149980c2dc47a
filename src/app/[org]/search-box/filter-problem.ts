import { isErrataError } from '#lib/errors.ts';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import { EVENT_KEYS, ISSUE_KEYS } from '#product/search/syntax/search-keys.ts';
import type { SearchSubject } from './recent-searches.ts';

/** Why a filter of the search cannot have its value; null when it can, as far as its syntax tells. */
export function filterProblem(filter: string, subject: SearchSubject): string | null {
  try {
    const [token] = parseSearch(filter, subject === 'issues' ? ISSUE_KEYS : EVENT_KEYS);
    if (token?.kind !== 'filter' || token.problem === null) return null;
    return `"${token.key.name}:" ${token.problem}`;
  } catch (error) {
    if (isErrataError(error)) return error.message;
    throw error;
  }
}
