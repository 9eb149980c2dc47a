import { invalid } from '#lib/errors.ts';
import { readFilter } from './read-filter.ts';
import { skipSpaces } from './read-key.ts';
import { readQuoted } from './read-value.ts';
import type { SearchKeys } from './search-keys.ts';
import {
  type FilterToken,
  type OperatorToken,
  readPattern,
  type SearchToken,
  type TextToken,
} from './search-tokens.ts';

export const QUERY_CHARACTERS_MAX = 4_096;
export const QUERY_TOKENS_MAX = 100;
export const QUERY_DEPTH_MAX = 10;

/** Tokenizes a search; filters keep their problem. Throws Invalid naming the character, for bad parentheses. */
export function parseSearch(query: string, keys: SearchKeys): readonly SearchToken[] {
  if (query.length > QUERY_CHARACTERS_MAX) {
    throw invalid(`The search is longer than ${QUERY_CHARACTERS_MAX} characters: shorten it`, 'query');
  }
  const nul = query.indexOf('\0');
  if (nul !== -1) throw invalid(`Character ${nul + 1} is not valid text: remove it`, 'query');
  const text = joinLines(query);
  const reading: Reading = { text, keys, tokens: 0, filters: new Map() };
  const { tokens, end } = readTokens(reading, skipSpaces(text, 0), 0);
  if (end < text.length) throw strayCharacter(text, end);
  return tokens;
}

type Reading = {
  text: string;
  keys: SearchKeys;
  tokens: number;
  /** By where they begin: free text asks at every word. */
  filters: Map<number, FilterToken | null>;
};

type TokensRead = { tokens: readonly SearchToken[]; end: number };

/** Up to the end, or to a parenthesis that closes. */
function readTokens(reading: Reading, at: number, depth: number): TokensRead {
  const { text } = reading;
  const tokens: SearchToken[] = [];
  let end = at;
  while (end < text.length && text[end] !== ')') {
    const token =
      readOperator(text, end) ??
      readGroup(reading, end, depth) ??
      filterAt(reading, end) ??
      phraseAt(text, end) ??
      readWords(reading, end);
    if (!token) throw strayCharacter(text, end);
    reading.tokens += 1;
    if (reading.tokens > QUERY_TOKENS_MAX) {
      throw invalid(
        `The search has more than ${QUERY_TOKENS_MAX} terms, from character ${end + 1}: use fewer`,
        'query',
      );
    }
    tokens.push(token);
    end = skipSpaces(text, token.end);
  }
  return { tokens, end };
}

function readOperator(text: string, at: number): OperatorToken | null {
  const written = readPattern(OPERATOR, text, at);
  if (written === null) return null;
  return {
    kind: 'operator',
    operator: written.toUpperCase() === 'OR' ? 'OR' : 'AND',
    start: at,
    end: at + written.length,
  };
}
const OPERATOR = /(?:OR|AND)(?=[\t\n )]|$)/iy;

/** Parentheses with nothing in them are text. */
function readGroup(reading: Reading, at: number, depth: number): SearchToken | null {
  const { text } = reading;
  if (text[at] !== '(') return null;
  const inside = skipSpaces(text, at + 1);
  if (text[inside] === ')') return null;
  if (depth === QUERY_DEPTH_MAX) {
    throw invalid(
      `The parentheses at character ${at + 1} are nested more than ${QUERY_DEPTH_MAX} levels deep: use fewer`,
      'query',
    );
  }
  const { tokens, end } = readTokens(reading, inside, depth + 1);
  if (text[end] !== ')') {
    throw invalid(
      `Unclosed parenthesis at character ${at + 1}: add ) at the end, or put the text in quotes`,
      'query',
    );
  }
  return { kind: 'group', tokens, start: at, end: end + 1 };
}

function filterAt(reading: Reading, at: number): FilterToken | null {
  const known = reading.filters.get(at);
  if (known !== undefined) return known;
  const filter = readFilter(reading.text, at, reading.keys);
  reading.filters.set(at, filter);
  return filter;
}

function phraseAt(text: string, at: number): TextToken | null {
  const quoted = readQuoted(text, at);
  return quoted && { ...quoted, kind: 'text' };
}

/** Words with the spaces after them, up to what is a filter or an operator. */
function readWords(reading: Reading, at: number): TextToken | null {
  const { text } = reading;
  let end = at;
  while (end < text.length && !filterAt(reading, end) && !readOperator(text, end)) {
    const word = readPattern(WORD, text, end) ?? readTextInParentheses(reading, end);
    if (word === null) break;
    end = skipSpaces(text, end + word.length);
  }
  return end === at ? null : { kind: 'text', text: text.slice(at, end), isQuoted: false, start: at, end };
}
const WORD = /[^()\n ]+/y;

/** What stands in parentheses right after a word, as in `applyCoupon(cart)`, is part of the text. */
function readTextInParentheses(reading: Reading, at: number): string | null {
  const { text } = reading;
  if (text[at] !== '(') return null;
  const inside = readPhraseOrWords(reading, at + 1);
  return text[inside] === ')' ? text.slice(at, inside + 1) : null;
}

function readPhraseOrWords(reading: Reading, at: number): number {
  const quoted = readQuoted(reading.text, at);
  return quoted?.end ?? readWords(reading, at)?.end ?? at;
}

function strayCharacter(text: string, at: number) {
  return text[at] === ')'
    ? invalid(`Unmatched parenthesis at character ${at + 1}: remove it, or put the text in quotes`, 'query')
    : invalid(`Unexpected character ${at + 1}: put the text in quotes`, 'query');
}

/** What was pasted has lines: outside quotes they are spaces. Offsets stay the same. */
function joinLines(query: string): string {
  if (!/[\r\n]/.test(query)) return query;
  let text = '';
  let isInQuotes = false;
  for (let at = 0; at < query.length; at++) {
    const character = query.charAt(at);
    if (character === '"' && query[at - 1] !== '\\') isInQuotes = !isInQuotes;
    text += !isInQuotes && /[\r\n]/.test(character) ? ' ' : character;
  }
  return text;
}
