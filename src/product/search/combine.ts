import { invalid } from '#lib/errors.ts';
import type { EventExpression, Expression, IssueCondition, IssueExpression } from '#storage/ports/search.ts';
import type { FilterToken, OperatorToken, SearchToken, TextToken } from './syntax/search-tokens.ts';

/** An event of the issue satisfies all of it. */
export type EventsCondition = { kind: 'events'; expression: EventExpression };
export type MixedExpression = Expression<IssueCondition | EventsCondition>;

/** A part of a search by what can answer it; `either` joins event conditions beside it, else is about the issue. */
export type Part =
  | { kind: 'issue'; expression: IssueExpression }
  | { kind: 'event'; expression: EventExpression }
  | { kind: 'either'; issue: IssueExpression; event: EventExpression }
  | { kind: 'mixed'; expression: MixedExpression };

/** Joins event conditions into one: under AND they must match the same event, under OR it makes no difference. */
export function combine(kind: 'and' | 'or', parts: readonly Part[]): Part {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const isEither = (part: Part) => part.kind === 'either';
  if (parts.length > 0 && parts.every(isEither)) {
    return {
      kind: 'either',
      issue: { kind, parts: parts.map(asIssue) },
      event: { kind, parts: parts.flatMap(asEvent) },
    };
  }
  const hasEvents = parts.some((part) => part.kind === 'event');
  const isOfEvent = (part: Part) => part.kind === 'event' || (hasEvents && isEither(part));
  const events = parts.filter(isOfEvent).flatMap(asEvent);
  const others = parts.filter((part) => !isOfEvent(part));
  if (others.length === 0 && hasEvents) return { kind: 'event', expression: { kind, parts: events } };
  if (events.length === 0 && others.every((part) => part.kind !== 'mixed')) {
    return { kind: 'issue', expression: { kind, parts: others.map(asIssue) } };
  }
  const merged: MixedExpression[] =
    events.length > 0 ? [{ kind: 'events', expression: { kind, parts: events } }] : [];
  return { kind: 'mixed', expression: { kind, parts: [...others.map(asMixed), ...merged] } };
}

/** The whole search. */
export function asMixed(part: Part): MixedExpression {
  switch (part.kind) {
    case 'either':
      return part.issue;
    case 'event':
      return { kind: 'events', expression: part.expression };
    default:
      return part.expression;
  }
}

function asIssue(part: Part): IssueExpression {
  if (part.kind === 'issue') return part.expression;
  if (part.kind === 'either') return part.issue;
  throw new Error(`Part of the search is about ${part.kind}s, not issues`);
}

function asEvent(part: Part): readonly EventExpression[] {
  if (part.kind === 'event') return [part.expression];
  return part.kind === 'either' ? [part.event] : [];
}

/** How terms belong together. An empty search is an `and` of nothing. */
export type SearchTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SearchTree[] }
  | FilterToken
  | TextToken;

/** AND binds closer than OR, and stands between terms that have nothing between them. Throws Invalid. */
export function buildTree(tokens: readonly SearchToken[]): SearchTree {
  const alternatives: SearchTree[][] = [[]];
  let operator: OperatorToken | null = null;
  for (const token of tokens) {
    const current = alternatives.at(-1) ?? [];
    if (token.kind !== 'operator') {
      current.push(token.kind === 'group' ? buildTree(token.tokens) : token);
      operator = null;
      continue;
    }
    if (operator || current.length === 0) throw incomplete(token, 'before');
    operator = token;
    if (token.operator === 'OR') alternatives.push([]);
  }
  if (operator) throw incomplete(operator, 'after');
  const parts = alternatives.map((terms) => join('and', terms));
  return join('or', parts);
}

function join(kind: 'and' | 'or', parts: readonly SearchTree[]): SearchTree {
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind, parts };
}

const incomplete = ({ operator, start }: OperatorToken, side: 'before' | 'after') =>
  invalid(
    `"${operator}" at character ${start + 1} has nothing ${side} it: add a term, or put the word in quotes`,
    'query',
  );
