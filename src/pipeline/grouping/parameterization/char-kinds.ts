const DIGIT = 1;
const HEX_LETTER = 2;
const LETTER = 4;
const UNDERSCORE = 8;
/** Signs, other than letters and digits, of the part of an email address before its `@`. */
const EMAIL_SIGN = 16;

const KINDS = new Uint8Array(128);
for (let unit = 0; unit < 128; unit += 1) {
  const char = String.fromCharCode(unit);
  if (/[0-9]/.test(char)) KINDS[unit] = DIGIT;
  else if (/[a-fA-F]/.test(char)) KINDS[unit] = HEX_LETTER | LETTER;
  else if (/[a-zA-Z]/.test(char)) KINDS[unit] = LETTER;
  else if (char === '_') KINDS[unit] = UNDERSCORE | EMAIL_SIGN;
  else if ("!#$%&'*+-./=?^`{|}~".includes(char)) KINDS[unit] = EMAIL_SIGN;
}

/** NaN, behind the end of a text, is of no kind. */
const isKind = (unit: number, kinds: number): boolean =>
  unit < 128 && ((KINDS[unit] as number) & kinds) !== 0;

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
export const isHex = (unit: number): boolean => isKind(unit, DIGIT | HEX_LETTER);
export const isAlphanumeric = (unit: number): boolean => isKind(unit, DIGIT | LETTER);
export const isEmailSign = (unit: number): boolean => isKind(unit, DIGIT | LETTER | EMAIL_SIGN);
/** Letters, digits and `-`. */
export const isHostSign = (unit: number): boolean => unit === 0x2d || isAlphanumeric(unit);

const WORD_BEYOND_ASCII = /[\p{L}\p{N}]/u;

/** Letters and digits of every script, and `_`. */
export const isWord = (unit: number): boolean =>
  unit < 128
    ? isKind(unit, DIGIT | LETTER | UNDERSCORE)
    : unit >= 128 && WORD_BEYOND_ASCII.test(String.fromCharCode(unit));
