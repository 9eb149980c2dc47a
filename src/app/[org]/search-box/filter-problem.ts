import { isErrataError } from '#lib/errors.ts';
import { searchKeysOf } from '#product/explore/rows/row-keys.ts';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import { EVENT_KEYS, ISSUE_KEYS, type SearchKeys } from '#product/search/syntax/search-keys.ts';
import type { SearchSubject } from './search-subject.ts';

/** Why a filter of the search cannot have its value; null when it can, as far as its syntax tells. */
export function filterProblem(filter: string, subject: SearchSubject): string | null {
  try {
    const [token] = parseSearch(filter, keysOf(subject));
    if (token?.kind !== 'filter' || token.problem === null) return null;
    return `"${token.key.name}:" ${token.problem}`;
  } catch (error) {
    if (isErrataError(error)) return error.message;
    throw error;
  }
}

function keysOf(subject: SearchSubject): SearchKeys {
  if (subject === 'issues') return ISSUE_KEYS;
  return subject === 'events' ? EVENT_KEYS : searchKeysOf(subject);
}
