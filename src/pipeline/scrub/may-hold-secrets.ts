import { HOOK, RUN_CHARS_MIN } from './find-secrets.ts';

const RUN = 1;
const SIGN = 2;
const UNITS = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  UNITS[char.charCodeAt(0)] = RUN;
}
for (const char of '=@') UNITS[char.charCodeAt(0)] = SIGN;

const QUOTE_OR_LAST_OF_HEADER = /["'`\sneyNEY]/;

/**
 * Whether a name of code, a version or another short text is worth a search for known secrets: one look at each of its
 * characters. Nearly all of them are not.
 */
export function mayHoldSecrets(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = unit < 128 ? UNITS[unit] : 0;
    if (kind === RUN) {
      run += 1;
      if (run >= RUN_CHARS_MIN) return true;
      // `-----BEGIN`
      if (unit === DASH && run > 1 && text.charCodeAt(at - 1) === DASH) return true;
      continue;
    }
    if (kind === SIGN) return true;
    if (unit === COLON && at > 0 && QUOTE_OR_LAST_OF_HEADER.test(text[at - 1] as string)) return true;
    run = 0;
  }
  return text.includes(HOOK);
}

const DASH = 0x2d;
const COLON = 0x3a;
