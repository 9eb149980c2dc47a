const DIGIT_BITS = 5;
const CONTINUES = 1 << DIGIT_BITS;
const DIGIT_MASK = CONTINUES - 1;
const NUMBER_MAX = 2 ** 31 - 1;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads a number in base 64, its lowest bit the sign, and goes on behind it; null when there is none. */
export function readVlq(text: { readonly mappings: string; at: number }): number | null {
  let value = 0;
  let factor = 1;
  for (;;) {
    const char = text.mappings[text.at];
    const digit = char === undefined ? -1 : DIGITS.indexOf(char);
    if (digit === -1) return null;
    text.at++;
    value += (digit & DIGIT_MASK) * factor;
    if (value > 2 * NUMBER_MAX + 1) return null;
    if ((digit & CONTINUES) === 0) break;
    factor *= CONTINUES;
  }
  const magnitude = Math.floor(value / 2);
  return value % 2 === 0 ? magnitude : -magnitude;
}
