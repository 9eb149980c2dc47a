import { invalid } from '#lib/errors.ts';
import type { FilterToken, OperatorToken, SearchToken, TextToken } from './syntax/search-tokens.ts';

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
