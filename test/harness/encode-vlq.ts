const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number as source maps write it; of 31 bits and a sign. */
export function encodeVlq(value: number): string {
  let rest = Math.abs(value) * 2 + (value < 0 ? 1 : 0);
  let text = '';
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[digit + (rest > 0 ? 32 : 0)];
  } while (rest > 0);
  return text;
}
