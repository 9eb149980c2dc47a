import { isErrataError } from '#lib/errors.ts';
import { isKnownOfIssues } from './issue-filters.ts';
import { isOfEachEvent } from './read-issue-search.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { ISSUE_KEYS } from './syntax/search-keys.ts';
import type { FilterToken, SearchToken } from './syntax/search-tokens.ts';
import { looksPasted } from './words.ts';

/**
 * The part of an issue search that leaves some events of an issue to be counted, as a search of events; empty for none. With
 * it the page of an issue shows the numbers of the list that led there.
 */
export function eventPartOf(query: string): string {
  const tokens = tokensOf(query);
  const isChoice = tokens.some((token) => token.kind === 'operator' && token.operator === 'OR');
  if (isChoice) return tokens.every(isOfEvents) ? query.trim() : '';
  return tokens
    .filter((token) => token.kind !== 'operator' && isOfEvents(token))
    .map(({ start, end }) => query.slice(start, end).trim())
    .join(' ');
}

/** None of a search that cannot be read. */
function tokensOf(query: string): readonly SearchToken[] {
  try {
    return parseSearch(query, ISSUE_KEYS);
  } catch (error) {
    if (isErrataError(error)) return [];
    throw error;
  }
}

function isOfEvents(token: SearchToken): boolean {
  switch (token.kind) {
    case 'text':
      return false;
    case 'operator':
      return true;
    case 'group':
      return token.tokens.every(isOfEvents);
    case 'filter':
      return isEventFilter(token);
  }
}

function isEventFilter(filter: FilterToken): boolean {
  const { key } = filter;
  if (key.kind === 'simple' && isKnownOfIssues(key.name)) return isOfEachEvent(key.name);
  return !looksPasted(filter);
}
