import { isDigit } from './char-kinds.ts';

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const LONG_DAY =
  '(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)';
const ZONE = String.raw`(?:[+-]\d{2}[0-5]\d|UT|GMT|[ECMP][SD]T|[A-IK-Z])`;
const SPACES = String.raw`\s{1,20}`;
const SIXTY = String.raw`[0-5]\d`;

const sticky = (...forms: readonly string[]): RegExp =>
  new RegExp(forms.map((form) => `(?:${form})`).join('|'), 'y');

/** Dates that begin with the name of a day or of a month. */
const NAMED = sticky(
  // Mon, 02 Jan 2006 15:04:05 MST
  String.raw`${DAY},\s\d{1,2}\s${MONTH}\s\d{2,4}\s\d{1,2}:\d{1,2}(?::\d{1,2})?\s${ZONE}`,
  // Mon Jan 02, 2006
  String.raw`(?:${DAY}\s)?${MONTH}\s[0-3]\d,\s\d{2,4}`,
  // Monday, 02-Jan-06 15:04:05 MST
  String.raw`${LONG_DAY},\s\d{2}-${MONTH}-\d{2}\s\d{2}:\d{2}:\d{2}\s${ZONE}`,
  // Mon Jan 02 2006 15:04:05 GMT-0700 (Mountain Standard Time)
  String.raw`${DAY}\s${MONTH}\s\d{2}\s\d{4}\s\d{2}:\d{2}:\d{2}\sGMT[+-]\d{4}(?:\s\([^)]{1,100}\))?`,
);

const NAMED_AT_WORD = sticky(
  // Mon Jan  2 15:04:05 2006
  String.raw`(?:${DAY}${SPACES})?${MONTH}${SPACES}\d{1,2}${SPACES}\d{2}:\d{2}:\d{2}${SPACES}\d{4}`,
);

/** The same as the first, with more space, and perhaps without the day. */
const DAY_OF_MONTH = sticky(
  String.raw`(?:${DAY},${SPACES})?(?:3[01]|[12]?\d|0[1-9])${SPACES}${MONTH}${SPACES}(?:19\d\d|[2-9]\d{3})${SPACES}` +
    String.raw`(?:2[0-3]|[01]\d):${SIXTY}(?::(?:60|${SIXTY}))?${SPACES}${ZONE}`,
);

/** Dates that begin with the year. */
const YEAR_FIRST = sticky(
  // 2006-01-02T15:04:05.999Z07:00
  String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?(?:[+-]?\d{2}:\d{2})?`,
  // 2006-01-02 15:04:05.999+0100, 20060102T1504Z
  String.raw`\d{4}-?[01]\d-?[0-3]\d[\sT][0-2]\d:?${SIXTY}(?::?${SIXTY}(?:\.\d+)?)?(?:[+-][0-2]\d:?${SIXTY}|Z)?`,
  String.raw`\d{4}-[01]\d-[0-3]\d`,
);

/** A time of day; what follows must not be a further part of it. */
const CLOCK = sticky(
  String.raw`(?:1[0-2]|[1-9]):${SIXTY}(?::${SIXTY})?(?![\d:])(?:\s?[aApP][mM])?`,
  String.raw`(?:2[0-3]|1\d|0?\d):${SIXTY}(?::${SIXTY})?(?![\d:])`,
);
const FULL_CLOCK = sticky(String.raw`[0-2]\d:${SIXTY}:${SIXTY}`);

/** How Python shows one. */
const CONSTRUCTOR = sticky(String.raw`datetime.datetime\(.{0,500}?\)`);

const OPENERS = new Uint8Array(128);
for (const opener of '0123456789ADFJMNOSTWd') OPENERS[opener.charCodeAt(0)] = 1;

/** Whether a date or time could begin with the sign: with a digit, or with the first letter of a name. */
export const mayBeginDate = (unit: number): boolean => unit <= LOWER_D && OPENERS[unit] === 1;

/** Where the date or time ends that begins at `start`; null for none. It may begin and end within a word. */
export function findDate(text: string, start: number, isAtBoundary: boolean): number | null {
  const unit = text.charCodeAt(start);
  if (isDigit(unit)) return findNumericDate(text, start, isAtBoundary);
  if (unit === LOWER_D) return endOf(CONSTRUCTOR, text, start);
  if (!mayBeginDate(unit)) return null;
  const end = endOf(NAMED, text, start);
  if (end !== null || !isAtBoundary) return end;
  return endOf(NAMED_AT_WORD, text, start) ?? endOf(DAY_OF_MONTH, text, start);
}

const LOWER_D = 0x64;
const COLON = 0x3a;

function findNumericDate(text: string, start: number, isAtBoundary: boolean): number | null {
  const second = text.charCodeAt(start + 1);
  const third = text.charCodeAt(start + 2);
  if (second === COLON || third === COLON) {
    const isAfterDigit = isDigit(text.charCodeAt(start - 1));
    return (isAfterDigit ? null : endOf(CLOCK, text, start)) ?? endOf(FULL_CLOCK, text, start);
  }
  if (isDigit(second) && isDigit(third)) return endOf(YEAR_FIRST, text, start);
  return isAtBoundary ? endOf(DAY_OF_MONTH, text, start) : null;
}

function endOf(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}
