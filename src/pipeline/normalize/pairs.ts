import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { NAME_CHARS_MAX, PAIR_VALUE_CHARS_MAX, PAIRS_MAX } from './limits.ts';

type Pair = readonly [string, string];

/**
 * Reads headers, cookies or a query: an object (a list as value repeats the name), a list of pairs, or text that
 * `parseText` splits. Values that are not text become their JSON.
 */
export function normalizePairs(
  reader: FieldReader,
  source: Source,
  key: string,
  path: string,
  parseText: (text: string) => readonly Pair[],
): Pair[] | undefined {
  const value = source[key];
  if (value === undefined || value === null || value === '') return undefined;
  const entries = entriesOf(value, parseText);
  if (entries === null) {
    reader.invalid(path, key, 'an object, pairs, or a string', value);
    return undefined;
  }
  if (entries.length > PAIRS_MAX) {
    reader.report('too_many_items', path, key, `kept the first ${PAIRS_MAX} of ${entries.length}`);
  }
  const pairs: Pair[] = [];
  for (const [nameSent, valueSent] of entries.slice(0, PAIRS_MAX)) {
    const name = reader.textOf(nameSent);
    if (name === undefined || name === '') continue;
    const text = reader.anyText({ [name]: valueSent }, name, `${path}.${key}`, PAIR_VALUE_CHARS_MAX) ?? '';
    pairs.push([reader.shorten(name, `${path}.${key}`, name, NAME_CHARS_MAX), text]);
  }
  return pairs.length === 0 ? undefined : pairs;
}

function entriesOf(
  value: unknown,
  parseText: (text: string) => readonly Pair[],
): readonly (readonly [unknown, unknown])[] | null {
  if (typeof value === 'string') return parseText(value);
  if (Array.isArray(value)) return value.slice(0, PAIRS_MAX + 1).flatMap(pairOf);
  if (!isSource(value)) return null;
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (Array.isArray(item)) for (const one of item.slice(0, PAIRS_MAX)) entries.push([name, one]);
    else entries.push([name, item]);
    if (entries.length > PAIRS_MAX) break;
  }
  return entries;
}

/** `[name, value]`, `{key, value}` or `{name, value}`; anything else is no pair. */
function pairOf(item: unknown): (readonly [unknown, unknown])[] {
  if (Array.isArray(item)) return item.length >= 2 ? [[item[0], item[1]]] : [];
  if (!isSource(item)) return [];
  return [[item.key ?? item.name, item.value]];
}

/** `a=1&b=2`, with or without the question mark. */
export function parseQuery(text: string): Pair[] {
  const pairs: Pair[] = [];
  const bare = text.startsWith('?') ? text.slice(1) : text;
  for (const part of bare.split('&', PAIRS_MAX + 1)) {
    if (part === '') continue;
    const [name, value] = splitOnce(part, '=');
    pairs.push([decodeForm(name), decodeForm(value)]);
  }
  return pairs;
}

/** `a=1; b=2`. */
export function parseCookies(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split(';', PAIRS_MAX + 1)) {
    const [name, value] = splitOnce(part.trim(), '=');
    if (name !== '') pairs.push([name, value]);
  }
  return pairs;
}

/** One `Name: value` a line. */
export function parseHeaders(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const line of text.split(/\r?\n/, PAIRS_MAX + 1)) {
    const [name, value] = splitOnce(line, ':');
    if (name.trim() !== '') pairs.push([name.trim(), value.trim()]);
  }
  return pairs;
}

function splitOnce(text: string, separator: string): Pair {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Undoes form encoding; text that is not validly encoded stays as it is. */
function decodeForm(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).replaceAll('\0', '\ufffd');
  } catch {
    return text;
  }
}
