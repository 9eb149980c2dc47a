import { expect, test } from 'vitest';
import { clearRecentSearches, keepRecentSearch, readRecentSearches } from './recent-searches.ts';

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return () => storage;
}

test('the newest six, each once, of one organization and one subject, until they are cleared', () => {
  const storage = memory();
  for (const search of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b', '']) {
    keepRecentSearch(storage, 'acme', 'issues', search);
  }
  keepRecentSearch(storage, 'acme', 'events', 'x');
  expect(readRecentSearches(storage, 'acme', 'issues')).toEqual(['b', 'g', 'f', 'e', 'd', 'c']);
  expect(readRecentSearches(storage, 'other', 'issues')).toEqual([]);
  clearRecentSearches(storage, 'acme', 'issues');
  expect(readRecentSearches(storage, 'acme', 'issues')).toEqual([]);
  expect(readRecentSearches(storage, 'acme', 'events')).toEqual(['x']);
});

test('only texts, whatever is stored', () => {
  const stored = (value: string) => memory({ 'errata.searches.acme.issues': value });
  expect(readRecentSearches(stored('["a", 7, null, ""]'), 'acme', 'issues')).toEqual(['a']);
  expect(readRecentSearches(stored('{not json'), 'acme', 'issues')).toEqual([]);
});

test('does without a storage that refuses', () => {
  const storage = () => {
    throw new Error('SecurityError');
  };
  expect(() => keepRecentSearch(storage, 'acme', 'issues', 'a')).not.toThrow();
  expect(() => clearRecentSearches(storage, 'acme', 'issues')).not.toThrow();
  expect(readRecentSearches(storage, 'acme', 'issues')).toEqual([]);
});
