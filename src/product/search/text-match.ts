import type { TextMatch } from '#storage/ports/search.ts';
import { filterProblem } from './search-problem.ts';
import type { FilterToken, SearchOperator, TextValue } from './syntax/search-tokens.ts';

/** The texts that a filter gives as alternatives, as they were written. Throws Invalid for what is no text. */
export function readTexts(filter: FilterToken): readonly TextValue[] {
  const { value } = filter;
  if (value.kind === 'text') return [value];
  if (value.kind === 'texts') return value.items.filter((item) => item !== null);
  throw filterProblem(filter, 'needs text');
}

export const readMatches = (filter: FilterToken): readonly TextMatch[] =>
  readTexts(filter).map((value) => toMatch(value.text, filter.operator));

/** `*` stands for anything; `\*`, `\"` and `\\` for the character itself. */
export function toMatch(written: string, operator: SearchOperator = ''): TextMatch {
  if (operator === 'contains') return { kind: 'pattern', parts: ['', unescapeText(written), ''] };
  if (operator === 'startsWith') return { kind: 'pattern', parts: [unescapeText(written), ''] };
  if (operator === 'endsWith') return { kind: 'pattern', parts: ['', unescapeText(written)] };
  const parts = splitAtWildcards(written);
  const [whole = ''] = parts;
  return parts.length === 1 ? { kind: 'exact', text: whole } : { kind: 'pattern', parts };
}

/** The same, found anywhere in a text. */
export function toWithin(written: string): TextMatch {
  const parts = splitAtWildcards(written);
  const isAnchored = parts.length > 1 && (parts[0] === '' || parts.at(-1) === '');
  return { kind: 'pattern', parts: isAnchored ? parts : ['', ...parts, ''] };
}

export const unescapeText = (written: string): string => written.replaceAll(/\\([\\"*])/g, '$1');

/** Several wildcards in a row are one. */
function splitAtWildcards(written: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < written.length; at++) {
    const character = written.charAt(at);
    const next = written.charAt(at + 1);
    if (character === '\\' && (next === '*' || next === '\\' || next === '"')) {
      part += next;
      at += 1;
    } else if (character === '*') {
      if (part !== '' || parts.length === 0) parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts;
}
