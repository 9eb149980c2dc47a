/**
 * Short ids of issues, `WEB-3F`: the project's slug and a counter in Crockford's base 32, which has no I, L, O, U.
 * Source: Sentry's short ids, https://docs.sentry.io/product/issues/
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `counter` starts at 1 in each project. Unique in an organization, since slugs are and the counter has no dash. */
export function formatShortId(projectSlug: string, counter: number): string {
  return `${projectSlug.toUpperCase()}-${encodeBase32(counter)}`;
}

/** Whether the text has the form of a short id; says nothing of whether such an issue exists. */
export function isShortId(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,49}-[0-9a-hjkmnp-tv-z]{1,12}$/i.test(text);
}

function encodeBase32(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a counter: ${value}`);
  let rest = value;
  let text = '';
  do {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}
