import { isDigit, isHex, isWord } from './char-kinds.ts';

/** What a run of letters and digits is made of. */
export type Word = {
  start: number;
  end: number;
  /** Only the digits of hexadecimal numbers. */
  isHex: boolean;
  /** As well, with letters of one case. */
  isOneCaseHex: boolean;
  isLowerHex: boolean;
  hasDigit: boolean;
  hasLetter: boolean;
};

/** The run from `start` to where no letter, digit or `_` follows. */
export function readWord(text: string, start: number): Word {
  let end = start;
  let hasDigit = false;
  let hasLower = false;
  let hasUpper = false;
  let isOnlyHex = true;
  for (; ; end += 1) {
    const unit = text.charCodeAt(end);
    if (!isWord(unit)) break;
    if (isDigit(unit)) hasDigit = true;
    else if (!isHex(unit)) isOnlyHex = false;
    else if (unit >= LOWER_A) hasLower = true;
    else hasUpper = true;
  }
  return {
    start,
    end,
    isHex: isOnlyHex,
    isOneCaseHex: isOnlyHex && !(hasLower && hasUpper),
    isLowerHex: isOnlyHex && !hasUpper,
    hasDigit,
    hasLetter: hasLower || hasUpper || !isOnlyHex,
  };
}

const LOWER_A = 0x61;
/** A longer run of hex digits is not replaced. */
const HEX_CHARS_MAX = 128;
/** A longer run of digits is not replaced as an integer. */
const INT_DIGITS_MAX = 7;
const SHORT_SHA_CHARS = 7;

export type NumberKind = 'hex' | 'git_sha' | 'int';

/**
 * What kind of number a whole word is; null for none. Seven signs are an abbreviated commit, and from eight on also
 * digits alone or letters alone are more likely hexadecimal than anything else.
 */
export function numberKind({
  start,
  end,
  isOneCaseHex,
  isLowerHex,
  hasDigit,
  hasLetter,
}: Word): NumberKind | null {
  if (!isOneCaseHex) return null;
  const length = end - start;
  if (length > SHORT_SHA_CHARS) return length <= HEX_CHARS_MAX ? 'hex' : null;
  if (!hasLetter) return length <= INT_DIGITS_MAX ? 'int' : null;
  if (!hasDigit || length < 4) return null;
  if (length === SHORT_SHA_CHARS) return isLowerHex ? 'git_sha' : null;
  return 'hex';
}

export const digitsEnd = (text: string, start: number): number => {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
};

/** Where `1.5` ends that begins at `start`, when no letter follows; null for none. */
export function floatEnd(text: string, start: number): number | null {
  const whole = digitsEnd(text, start);
  if (whole === start || text[whole] !== '.') return null;
  const end = digitsEnd(text, whole + 1);
  return end === whole + 1 || isWord(text.charCodeAt(end)) ? null : end;
}
