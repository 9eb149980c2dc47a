import type { EventExpression, IssueExpression, TextField, TextMatch } from '#storage/ports/search.ts';
import { asMixed, buildTree, combine, type MixedExpression, type Part, type SearchTree } from './combine.ts';
import { eventFilter, refuseProblem } from './event-filters.ts';
import { ASKS_FOR_KIND, issueFilter, NO_FEEDBACK } from './issue-filters.ts';
import { RELEASE_KEYS, readReleases } from './releases.ts';
import type { SearchScope } from './search-problem.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { ISSUE_KEYS } from './syntax/search-keys.ts';
import type { FilterToken, TextToken } from './syntax/search-tokens.ts';
import { looksPasted, readWords } from './words.ts';

export type IssueSearch = {
  /** Which issues. */
  expression: MixedExpression;
  /** Of their events, which are counted; null for all: the search asks only what is known of an issue as a whole. */
  events: EventExpression | null;
};

/** What an issue search asks of issues and of events, in one of the environments unless empty. Throws Invalid. */
export async function readIssueSearch(
  query: string,
  scope: SearchScope,
  environments: readonly string[] = [],
): Promise<IssueSearch> {
  const tree = buildTree(parseSearch(query, ISSUE_KEYS));
  const terms: Term[] = asksForKind(tree)
    ? []
    : [{ part: { kind: 'issue', expression: NO_FEEDBACK }, events: null }];
  if (environments.length === 0) return asSearch(combineTerms('and', [...terms, await resolve(tree, scope)]));
  // All at once: a release beside an environment is asked of the same event.
  for (const term of tree.kind === 'and' ? tree.parts : [tree]) terms.push(await resolve(term, scope));
  const environment = inEnvironments(environments);
  terms.push({ part: { kind: 'event', expression: environment }, events: environment });
  return asSearch(combineTerms('and', terms));
}

function asksForKind(tree: SearchTree): boolean {
  if (tree.kind === 'filter') return ASKS_FOR_KIND.has(tree.key.name);
  return tree.kind !== 'text' && tree.parts.some(asksForKind);
}

/** A part of the search, and which events it leaves to be counted. */
type Term = { part: Part; events: EventExpression | null };

const asSearch = ({ part, events }: Term): IssueSearch => ({ expression: asMixed(part), events });

const combineTerms = (kind: 'and' | 'or', terms: readonly Term[]): Term => ({
  part: combine(
    kind,
    terms.map(({ part }) => part),
  ),
  events: combineEvents(
    kind,
    terms.map(({ events }) => events),
  ),
});

/** Where one alternative leaves all events, all are counted. */
export function combineEvents(
  kind: 'and' | 'or',
  parts: readonly (EventExpression | null)[],
): EventExpression | null {
  const asked = parts.filter((part) => part !== null);
  if (asked.length === 0 || (kind === 'or' && asked.length < parts.length)) return null;
  return asked.length === 1 ? (asked[0] ?? null) : { kind, parts: asked };
}

export const inEnvironments = (environments: readonly string[]): EventExpression => ({
  kind: 'text',
  field: { kind: 'column', name: 'environment' },
  matches: environments.map((text) => ({ kind: 'exact', text })),
  isNegated: false,
});

async function resolve(tree: SearchTree, scope: SearchScope): Promise<Term> {
  switch (tree.kind) {
    case 'text':
      return { part: { kind: 'issue', expression: textOf(tree) }, events: null };
    case 'filter': {
      const part = await resolveFilter(tree, scope);
      return { part, events: eventsOf(part) };
    }
    default: {
      const terms: Term[] = [];
      for (const part of tree.parts) terms.push(await resolve(part, scope));
      return combineTerms(tree.kind, terms);
    }
  }
}

/** What a filter asks of each event; null for what is known of the issue only. */
function eventsOf(part: Part): EventExpression | null {
  if (part.kind === 'event') return part.expression;
  if (part.kind === 'either') return part.event;
  const { expression } = part;
  if (expression.kind !== 'text' || !isEventColumn(expression.field)) return null;
  return { ...expression, field: { kind: 'column', name: expression.field } };
}

/** What each event has as well as its issue. */
const isEventColumn = (field: string): field is 'level' | 'platform' | 'logger' =>
  field === 'level' || field === 'platform' || field === 'logger';

/** Whether a key that is known of issues is asked of each event as well. */
export const isOfEachEvent = (key: string): boolean => isEventColumn(key) || key === 'platform.name';

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
