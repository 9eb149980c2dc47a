import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import type { SearchSubject } from './search-subject.ts';

/** Searches that a browser remembers of one organization and subject. */
const SEARCHES_MAX = 6;

const keyOf = (organizationSlug: string, subject: SearchSubject) =>
  `errata.searches.${organizationSlug}.${subject}`;

/** Newest first; empty where the browser keeps nothing, as when it refuses to name its storage. */
export function readRecentSearches(
  storage: () => Pick<Storage, 'getItem'>,
  organizationSlug: string,
  subject: SearchSubject,
): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(keyOf(organizationSlug, subject)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSearch).slice(0, SEARCHES_MAX) : [];
  } catch {
    return [];
  }
}

/** Puts a search first. A browser that refuses to keep it remembers nothing. */
export function keepRecentSearch(
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
  organizationSlug: string,
  subject: SearchSubject,
  search: string,
): void {
  if (!isSearch(search)) return;
  const others = readRecentSearches(storage, organizationSlug, subject).filter((each) => each !== search);
  try {
    storage().setItem(
      keyOf(organizationSlug, subject),
      JSON.stringify([search, ...others].slice(0, SEARCHES_MAX)),
    );
  } catch {
    // A full or forbidden storage.
  }
}

export const clearRecentSearches = (
  storage: () => Pick<Storage, 'removeItem'>,
  organizationSlug: string,
  subject: SearchSubject,
): void => {
  try {
    storage().removeItem(keyOf(organizationSlug, subject));
  } catch {
    // A forbidden storage has nothing to clear.
  }
};

const isSearch = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= QUERY_CHARACTERS_MAX;
