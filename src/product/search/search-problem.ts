import { closestWord } from '#lib/closest-word.ts';
import { type ErrataError, invalid } from '#lib/errors.ts';
import type { FilterToken, SearchKey, Span } from './syntax/search-tokens.ts';

const SHOWN_CHARACTERS_MAX = 80;

/** What is wrong at a place of the search, counted from 1, with what to write instead. */
export const problemAt = ({ start }: Pick<Span, 'start'>, what: string): ErrataError =>
  invalid(what.replace('%', `character ${start + 1}`), 'query');

/** As `problemAt`, about a filter: `"level:" at character 5 needs a value`. */
export const filterProblem = (filter: FilterToken, what: string): ErrataError =>
  invalid(`"${nameOf(filter.key)}:" at character ${filter.start + 1} ${what}`, 'query');

/** A value that the key does not have; `values` are those among which the one that was meant is looked for. */
export function unknownValue(
  filter: FilterToken,
  value: { text: string; start: number },
  possible: string,
  values: readonly string[] = [],
): ErrataError {
  const meant = closestWord(value.text, values);
  const where = `at character ${value.start + 1}${meant === null ? '.' : `: did you mean "${meant}"?`}`;
  return invalid(
    `"${nameOf(filter.key)}:" does not know "${value.text.slice(0, SHOWN_CHARACTERS_MAX)}" ${where} Possible: ${possible}`,
    'query',
  );
}

/** The key as it was written, without quotes. */
export function nameOf(key: SearchKey): string {
  const name = key.name.slice(0, SHOWN_CHARACTERS_MAX);
  switch (key.kind) {
    case 'simple':
      return name;
    case 'tag':
      return `${key.prefix}[${name}]`;
    case 'aggregate':
      return `${name}()`;
  }
}
