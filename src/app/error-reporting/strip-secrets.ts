const STRIPPED = '[stripped]';
/**
 * Paths with a part that opens something: `/reset-password/<token>`, `/invite/<token>`, `/share/issue/<token>`,
 * `/account/confirm-email/<token>`, `/unsubscribe/<token>`; also within another address
 * (`/login?next=%2Finvite%2F<token>`).
 */
const SECRET_PATH =
  /((?:\/|%2F)(?:reset-password|invite|confirm-email|unsubscribe|share(?:\/|%2F)(?:issue|dashboard)|share)(?:\/|%2F))(?!(?:issue|dashboard)(?:[/?#%&]|$))[^/?#%&\s"']+/gi;
const SECRET_QUERY = /([?&](?:amp;)?(?:token|code|secret|password)=)[^&#\s"']*/gi;
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookies',
  'set-cookie',
  'x-sentry-auth',
  'password',
  'token',
  'secret',
]);
const DEPTH_MAX = 12;

/** The text without the secrets that addresses carry. */
export function stripAddress(text: string): string {
  return text.replace(SECRET_PATH, `$1${STRIPPED}`).replace(SECRET_QUERY, `$1${STRIPPED}`);
}

/** A copy of an event or breadcrumb in which no text, however deep, holds an address with a secret in it. */
export function stripSecrets<T>(value: T): T {
  return strip(value, 0) as T;
}

function strip(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return stripAddress(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return STRIPPED;
  if (Array.isArray(value)) return value.map((each) => strip(each, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, stripEntry(key, each, depth + 1)]),
  );
}

function stripEntry(key: string, value: unknown, depth: number): unknown {
  if (SECRET_KEYS.has(key.toLowerCase())) return STRIPPED;
  // The query of a request stands without its question mark.
  if (key === 'query_string' && typeof value === 'string') return stripAddress(`?${value}`).slice(1);
  return strip(value, depth);
}
