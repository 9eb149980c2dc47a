import { eventKeyNamed, eventKeyOf } from './event-fields.ts';
import { isKnownOfIssues } from './issue-filters.ts';
import { RELEASE_KEYS } from './releases.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { ISSUE_KEYS } from './syntax/search-keys.ts';
import type { FilterToken, SearchToken } from './syntax/search-tokens.ts';
import { looksPasted } from './words.ts';

/** What may be a slip in a search that can be read: keys that can only be tags, and words that look like an address. */
export function readUnusual(query: string): { tags: readonly string[]; addresses: readonly string[] } {
  const tokens = parseSearch(query, ISSUE_KEYS).flatMap(flatten);
  return {
    tags: [...new Set(tokens.flatMap((token) => (token.kind === 'filter' ? tagsOf(token) : [])))],
    addresses: tokens.flatMap((token) =>
      token.kind === 'text' ? token.text.split(/\s/).filter(looksLikeAddress) : [],
    ),
  };
}

const flatten = (token: SearchToken): readonly SearchToken[] =>
  token.kind === 'group' ? token.tokens.flatMap(flatten) : [token];

function tagsOf(filter: FilterToken): readonly string[] {
  if (filter.isNegated || looksPasted(filter)) return [];
  const { key } = filter;
  if (filter.form === 'has') {
    const { value } = filter;
    const field = value.kind === 'text' ? eventKeyNamed(value.text) : null;
    return field?.kind === 'text' && field.field.kind === 'tag' ? [field.field.key] : [];
  }
  if (key.kind === 'simple' && (isKnownOfIssues(key.name) || RELEASE_KEYS.has(key.name))) return [];
  const known = eventKeyOf(key);
  return known.kind === 'text' && known.field.kind === 'tag' ? [known.field.key] : [];
}

function looksLikeAddress(word: string): boolean {
  const [name = '', host = '', ...more] = word.split('@');
  const dot = host.indexOf('.');
  return more.length === 0 && name !== '' && !name.startsWith('!') && dot > 0 && dot < host.length - 1;
}
