import { splitSearch } from './split-search.ts';

/** Keys that mean something else than a tag of that name in a search. */
const RESERVED_KEYS: ReadonlySet<string> = new Set([
  'is',
  'has',
  'assigned',
  'assigned_or_suggested',
  'bookmarks',
  'subscribed',
  'issue.id',
  'project.name',
  'age',
  'message',
]);

/**
 * The term of a search that finds what has the value under the key, `!has:key` for the empty value; null when searches
 * cannot name the key.
 */
export function searchTerm(key: string, value: string): string | null {
  const name = nameOf(key);
  if (name === null) return null;
  return value === '' ? `!has:${name}` : `${name}:${quoteValue(value)}`;
}

/** As `searchTerm`, for rows whose columns have all other names: only what `has:` and `is:` say is reserved there. */
export function plainTerm(key: string, value: string): string | null {
  const isColumn = /^[A-Za-z_][\w.-]*$/.test(key) && key !== 'has' && key !== 'is';
  if (!isColumn) return searchTerm(key, value);
  return value === '' ? `!has:${key}` : `${key}:${quoteValue(value)}`;
}

/** A value as a search writes it: in quotes where it would mean something else. */
export const quoteValue = (value: string): string =>
  /^[^\s"()[\],\\*:/<>=!][^\s"()[\],\\*]*$/.test(value) ? value : `"${value.replace(/["\\*]/g, '\\$&')}"`;

function nameOf(key: string): string | null {
  if (/^tags\[[\w.:-]+\]$/.test(key)) return key;
  if (!/^[\w.:-]+$/.test(key)) return null;
  return RESERVED_KEYS.has(key) || !/^[A-Za-z_][\w.-]*$/.test(key) ? `tags[${key}]` : key;
}

/** The filter of a search that its error is about; null when it is about none. */
export function findInvalidFilter(search: string, error: string | null): string | null {
  const position = error === null ? null : errorPosition(error);
  if (position === null) return null;
  const { parts, starts } = splitSearch(search);
  return (
    parts.find((part, at) => {
      const start = starts[at] ?? 0;
      return at % 2 === 1 && position > start && position <= start + part.length;
    }) ?? null
  );
}

/** Where in the search box an error is, counted from 1; null when its message names no character. */
export function errorPosition(message: string): number | null {
  const match = /\bcharacter (\d+)/.exec(message);
  return match ? Number(match[1]) : null;
}
