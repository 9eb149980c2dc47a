import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import type { Plan } from './compile-plan.ts';
import { findSecretParameters, mayHoldParameters } from './find-parameters.ts';
import { findSecrets, HOOK, RUN_CHARS_MIN } from './find-secrets.ts';
import { FILTERED } from './rule-types.ts';

/** Shorter names hold no parameter with a value worth hiding. */
const NAME_CHARS_MIN = 9;
/** Names that are known to hold nothing: nearly all fields of all events have the same few hundred. */
const harmless = new Set<string>();
/** Field names cached as harmless. */
const HARMLESS_MAX = 10_000;
/** Longer names are not cached. */
const HARMLESS_CHARS_MAX = 64;

/** A name without what is secret in it: some programs put `token=…` or a key where the name of a field stands. */
export function hideInName(name: string, plan: Plan): string {
  if (name.length < NAME_CHARS_MIN || !plan.defaultRules || harmless.has(name)) return name;
  if (!mayHoldSecrets(name)) {
    if (harmless.size < HARMLESS_MAX && name.length <= HARMLESS_CHARS_MAX) harmless.add(name);
    return name;
  }
  const known = replaceRanges(name, findSecrets(name));
  return mayHoldParameters(known) ? replaceRanges(known, findSecretParameters(known, plan.keys)) : known;
}

/** A name of its own for a field that was renamed, where another one has that name already. */
export function freeName(taken: Readonly<Record<string, unknown>>, name: string): string {
  if (!Object.hasOwn(taken, name)) return name;
  let count = Object.keys(taken).length;
  while (Object.hasOwn(taken, `${name} ${count}`)) count += 1;
  return `${name} ${count}`;
}

function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + FILTERED;
    at = end;
  }
  return ranges.length === 0 ? text : result + text.slice(at);
}

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
