import { skipSpaces } from './read-key.ts';
import { type NumberValue, readPattern, type SearchValue, type TextValue } from './search-tokens.ts';

/** Readers of one kind of value each: null when none of that kind begins here. */
type Read<Value> = (text: string, at: number) => Value | null;

/** The next is a space, a closing parenthesis or the end. */
const END = String.raw`(?=[\t\n )]|$)`;

export const readDate: Read<SearchValue> = (text, at) => {
  const written = readPattern(DATE, text, at);
  return written === null ? null : { kind: 'date', text: written, start: at, end: at + written.length };
};
const DATE = new RegExp(
  String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?${END}`,
  'y',
);

export const readRelativeDate: Read<SearchValue> = (text, at) => {
  const written = readPattern(RELATIVE_DATE, text, at);
  if (written === null) return null;
  return {
    kind: 'relativeDate',
    sign: written.startsWith('-') ? '-' : '+',
    amount: written.slice(1, -1),
    unit: written.slice(-1),
    start: at,
    end: at + written.length,
  };
};
const RELATIVE_DATE = new RegExp(String.raw`[+-]\d+[wdhm]${END}`, 'y');

export const readDuration: Read<SearchValue> = (text, at) => readQuantity('duration', DURATION, text, at);
export const readSize: Read<SearchValue> = (text, at) => readQuantity('size', SIZE, text, at);
export const readPercentage: Read<SearchValue> = (text, at) =>
  readQuantity('percentage', PERCENTAGE, text, at);

const DURATION = new RegExp(String.raw`(\d+(?:\.\d*)?)(ms|s|min|m|hr|h|day|d|wk|w)${END}`, 'y');
const SIZE = new RegExp(String.raw`(\d+(?:\.\d*)?)(bit|bytes|nb|[kmgtpezy]i?b)${END}`, 'yi');
const PERCENTAGE = /(\d+(?:\.\d*)?)(%)/y;

function readQuantity(
  kind: 'duration' | 'size' | 'percentage',
  pattern: RegExp,
  text: string,
  at: number,
): SearchValue | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return null;
  const [written, amount = '', unit = ''] = match;
  return { kind, amount, unit, start: at, end: at + written.length };
}

export const readBoolean: Read<SearchValue> = (text, at) => {
  const written = readPattern(BOOLEAN, text, at);
  return written === null ? null : { kind: 'boolean', text: written, start: at, end: at + written.length };
};
const BOOLEAN = new RegExp(`(?:true|1|false|0)${END}`, 'yi');

export const readNumber: Read<NumberValue> = (text, at) => {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [written, amount = '', unit = ''] = match;
  return { kind: 'number', amount, unit, start: at, end: at + written.length };
};
const NUMBER = /(-?\d+(?:\.\d*)?)([kmbKMB]?)(?=[\t\n ),\]]|$)/y;

export const readNumbers: Read<SearchValue> = (text, at) => {
  const list = readList(text, at, readNumber);
  return list && { kind: 'numbers', items: list.items, start: at, end: list.end };
};

export const readTexts: Read<SearchValue> = (text, at) => {
  const list = readList(text, at, (_, itemAt) => readQuoted(text, itemAt) ?? readListText(text, itemAt));
  return list && { kind: 'texts', items: list.items, start: at, end: list.end };
};

/** A phrase in quotes, or everything up to a space or a parenthesis, which may be nothing. */
export const readText = (text: string, at: number): TextValue => readQuoted(text, at) ?? readBare(text, at);

export const readQuoted: Read<TextValue> = (text, at) => {
  const written = readPattern(QUOTED, text, at);
  if (written === null) return null;
  return {
    kind: 'text',
    text: written.slice(1, -1),
    isQuoted: true,
    start: at,
    end: at + written.length,
  };
};
const QUOTED = /"(?:\\"|[^"])*"/y;

function readBare(text: string, at: number): TextValue {
  const written = readPattern(BARE, text, at) ?? '';
  return { kind: 'text', text: written, isQuoted: false, start: at, end: at + written.length };
}
const BARE = /[^()\t\n ]+/y;

/** `[a, b]`, followed by a space, a closing parenthesis or the end. */
function readList<Item extends { end: number }>(
  text: string,
  at: number,
  readItem: Read<Item>,
): { items: readonly (Item | null)[]; end: number } | null {
  if (text[at] !== '[') return null;
  const first = readItem(text, at + 1);
  if (!first) return null;
  const items: (Item | null)[] = [first];
  let end = first.end;
  for (;;) {
    const comma = skipSpaces(text, end);
    if (text[comma] !== ',') break;
    const next = skipSpaces(text, comma + 1);
    if (text[next] === ',') break;
    const item = readItem(text, next);
    items.push(item);
    end = item?.end ?? next;
  }
  return text[end] === ']' && isEnd(text[end + 1]) ? { items, end: end + 1 } : null;
}

/** Up to the comma after it, else to the last closing bracket of the word: brackets may be part of the text. */
function readListText(text: string, at: number): TextValue | null {
  const word = readPattern(LIST_WORD, text, at);
  if (word === null) return null;
  const wordEnd = at + word.length;
  const end = text[skipSpaces(text, wordEnd)] === ',' ? wordEnd : at + word.lastIndexOf(']');
  if (end <= at) return null;
  return { kind: 'text', text: text.slice(at, end), isQuoted: false, start: at, end };
}
const LIST_WORD = /[^(), ]+/y;

const isEnd = (character: string | undefined): boolean =>
  character === undefined || /[\t\n )]/.test(character);
