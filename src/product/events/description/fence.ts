import { visibleText } from '#lib/visible-text.ts';

/** Longer runs of backticks are cut, so that a fence around them stays short. */
const BACKTICKS_MAX = 8;

/** Text from outside as a block of code that it cannot end, of at most so many characters; empty for no text. */
export function fence(text: string, charactersMax: number): string {
  const seen = cut(visible(text), charactersMax).replace(/`{9,}/g, '`'.repeat(BACKTICKS_MAX));
  if (seen.trim() === '') return '';
  const longest = Math.max(2, ...[...seen.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}text\n${seen}\n${mark}`;
}

/** Text from outside on one line, of at most so many characters. */
export function oneLine(text: string, charactersMax: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), charactersMax);
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax).toWellFormed()}\n… ${text.length - charactersMax} more characters`;
}

/** What ends lines in some readers only ends them here as well. */
const visible = (text: string): string => visibleText(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'));
