import type { TextMatch } from '#storage/ports/search.ts';
import { eventKeyOf } from './event-fields.ts';
import { problemAt } from './search-problem.ts';
import type { FilterToken, TextToken } from './syntax/search-tokens.ts';
import { toWithin } from './text-match.ts';

/** A word or phrase that must occur, or must not. */
export type Word = { match: TextMatch; isNegated: boolean };

/** Every word by itself; `!word` and `!"a phrase"` must not occur. Throws Invalid. */
export function readWords(token: TextToken): readonly Word[] {
  if (token.isQuoted) return [wordOf(token.text, false, token.start)];
  return [...token.text.matchAll(WORD)].map(({ 0: written, index }) => {
    const start = token.start + index;
    const isNegated = written.length > 1 && written.startsWith('!');
    const word = isNegated ? written.slice(1) : written;
    if (!word.startsWith('"')) return wordOf(word, isNegated, start);
    if (word.length === 1 || !word.endsWith('"')) {
      throw problemAt({ start: written.indexOf('"') + start }, 'Unclosed quote at %: add " at the end');
    }
    return wordOf(word.slice(1, -1), isNegated, start);
  });
}
const WORD = /!?"(?:\\.|[^"\\])*"|\S+/g;

function wordOf(text: string, isNegated: boolean, start: number): Word {
  if (text.trim() === '') throw problemAt({ start }, 'The quotes at % are empty: enter a search term');
  return { match: toWithin(text), isNegated };
}

/**
 * Whether a filter is pasted text: `https://…`, `Foo::bar`, `C:\x`, `C:/x`, `12:30:05`, or `TypeError: x`. A path after the
 * name of a tag, as in `route:/checkout`, is its value.
 */
export function looksPasted(filter: FilterToken): boolean {
  const { key, value, operator } = filter;
  if (key.kind !== 'simple' || key.isQuoted || value.kind !== 'text' || value.isQuoted || operator !== '') {
    return false;
  }
  const known = eventKeyOf(key);
  if (known.kind !== 'text' || known.field.kind !== 'tag') return false;
  const isPath = value.text.startsWith('/') && !value.text.startsWith('//') && key.name.length > 1;
  return value.text === '' || (/^[:/\\]/.test(value.text) && !isPath) || !/^[A-Za-z_]/.test(key.name);
}
