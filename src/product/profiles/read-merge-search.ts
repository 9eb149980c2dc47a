import { invalid } from '#lib/errors.ts';
import { filterProblem, nameOf } from '#product/search/search-problem.ts';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import { EVENT_KEYS } from '#product/search/syntax/search-keys.ts';
import type { FilterToken } from '#product/search/syntax/search-tokens.ts';
import { readMatches } from '#product/search/text-match.ts';
import type { MergeQuestion } from './open-merged-profile.ts';

/**
 * Which profiles a search of Sentry's clients means: `event.type:transaction transaction:"/cart" release:shop@1`. Throws
 * Invalid for anything else, as profiles know nothing else of themselves.
 */
export function readMergeSearch(
  query: string,
): Pick<MergeQuestion, 'transaction' | 'release' | 'environments'> {
  const found: { transaction: string | null; release: string | null; environments: string[] } = {
    transaction: null,
    release: null,
    environments: [],
  };
  for (const token of parseSearch(query, EVENT_KEYS)) {
    if (token.kind !== 'filter') {
      throw invalid('Profiles are searched by transaction, release, and environment only', 'query');
    }
    switch (nameOf(token.key)) {
      case 'event.type':
        break;
      case 'transaction':
        found.transaction = exactText(token);
        break;
      case 'release':
        found.release = exactText(token);
        break;
      case 'environment':
        found.environments.push(exactText(token));
        break;
      default:
        throw filterProblem(token, 'does not apply to profiles: use transaction, release, or environment');
    }
  }
  return found;
}

function exactText(filter: FilterToken): string {
  const [match, ...others] = filter.isNegated ? [] : readMatches(filter);
  if (match?.kind !== 'exact' || others.length > 0) {
    throw filterProblem(filter, 'needs one value, without * or !');
  }
  return match.text;
}
