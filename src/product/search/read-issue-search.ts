import type { EventExpression, IssueExpression, TextField, TextMatch } from '#storage/ports/search.ts';
import { asMixed, buildTree, combine, type MixedExpression, type Part, type SearchTree } from './combine.ts';
import { eventFilter, refuseProblem } from './event-filters.ts';
import { issueFilter } from './issue-filters.ts';
import { RELEASE_KEYS, readReleases } from './releases.ts';
import type { SearchScope } from './search-problem.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { ISSUE_KEYS } from './syntax/search-keys.ts';
import type { FilterToken, TextToken } from './syntax/search-tokens.ts';
import { looksPasted, readWords } from './words.ts';

/** What an issue search asks of issues and of events, in one of the environments unless empty. Throws Invalid. */
export async function readIssueSearch(
  query: string,
  scope: SearchScope,
  environments: readonly string[] = [],
): Promise<MixedExpression> {
  const tree = buildTree(parseSearch(query, ISSUE_KEYS));
  if (environments.length === 0) return asMixed(await resolve(tree, scope));
  // All at once: a release beside an environment is asked of the same event.
  const parts: Part[] = [];
  for (const term of tree.kind === 'and' ? tree.parts : [tree]) parts.push(await resolve(term, scope));
  parts.push({ kind: 'event', expression: inEnvironments(environments) });
  return asMixed(combine('and', parts));
}

export const inEnvironments = (environments: readonly string[]): EventExpression => ({
  kind: 'text',
  field: { kind: 'column', name: 'environment' },
  matches: environments.map((text) => ({ kind: 'exact', text })),
  isNegated: false,
});

async function resolve(tree: SearchTree, scope: SearchScope): Promise<Part> {
  switch (tree.kind) {
    case 'text':
      return { kind: 'issue', expression: textOf(tree) };
    case 'filter':
      return await resolveFilter(tree, scope);
    default: {
      const parts: Part[] = [];
      for (const part of tree.parts) parts.push(await resolve(part, scope));
      return combine(tree.kind, parts);
    }
  }
}

const textOf = (token: TextToken): IssueExpression => ({
  kind: 'and',
  parts: readWords(token).map((word) => ({ kind: 'words', ...word })),
});

async function resolveFilter(filter: FilterToken, scope: SearchScope): Promise<Part> {
  if (RELEASE_KEYS.has(filter.key.name) && filter.key.kind === 'simple') {
    refuseProblem(filter);
    return releasePart(await readReleases(filter, scope), filter.isNegated);
  }
  const expression = await issueFilter(filter, scope);
  if (expression) return { kind: 'issue', expression };
  if (looksPasted(filter)) return { kind: 'issue', expression: textOf(pastedText(filter)) };
  return { kind: 'event', expression: eventFilter(filter, scope.nowMs) };
}

/** A filter that is text after all. */
export function pastedText(filter: FilterToken): TextToken {
  const value = filter.value.kind === 'text' ? filter.value.text : '';
  const text = `${filter.isNegated ? '!' : ''}${filter.key.name}:${value}`;
  return { kind: 'text', text, isQuoted: false, start: filter.start, end: filter.end };
}

/** An issue knows in which releases it was seen; where it was not is a matter of its events. */
function releasePart(matches: readonly TextMatch[], isNegated: boolean): Part {
  const event = releaseOfEvent(matches, isNegated);
  if (isNegated || matches.some((match) => match.kind === 'exact' && match.text === '')) {
    return { kind: 'event', expression: event };
  }
  return { kind: 'either', issue: { kind: 'release', which: 'any', matches, isNegated: false }, event };
}

export function releaseOfEvent(matches: readonly TextMatch[], isNegated: boolean): EventExpression {
  if (matches.length === 0) return { kind: isNegated ? 'and' : 'or', parts: [] };
  const field: TextField = { kind: 'column', name: 'release' };
  return { kind: 'text', field, matches, isNegated };
}
