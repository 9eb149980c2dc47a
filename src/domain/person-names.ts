/** What a program calls a person by. */
type PersonName = { kind: 'id' | 'email' | 'username' | 'ip'; value: string };

/** A shorter ID or username, or one of digits, is a word like others: only where a user is named it means one. */
const DISTINCTIVE_CHARACTERS_MIN = 8;
const DISTINCTIVE_DIGITS_MIN = 12;

/** Whether a text that holds the name can only mean the person. */
export function isDistinctive({ kind, value }: PersonName): boolean {
  if (kind === 'email' || kind === 'ip') return true;
  if (value.length < DISTINCTIVE_CHARACTERS_MIN) return false;
  return /^\d+$/.test(value) ? value.length >= DISTINCTIVE_DIGITS_MIN : /\d|[^\p{L}]/u.test(value);
}

/** As it stands in texts: plain, in JSON, and in addresses. */
export function spellings(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())])];
}

export type NamePattern = {
  /** In three groups, the second of which is the name; for RE2, PostgreSQL and JavaScript alike. */
  pattern: string;
  /** Whether upper and lower case are the same. */
  ignoresCase: boolean;
};

/**
 * A regular expression for the name as a word of its own: `ann@example.com` is in neither `joann@example.com` nor
 * `ann@example.com.au`. What precedes it may be an escape of JSON or of an address.
 */
export function patternOf({ kind, value }: PersonName): NamePattern {
  const words = spellings(value).map(escapePattern).join('|');
  const sign = kind === 'ip' ? '0-9A-Fa-f.:' : kind === 'email' ? 'A-Za-z0-9._+-' : 'A-Za-z0-9_-';
  const before = String.raw`(^|[^${sign}]|\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})`;
  return { pattern: `${before}(${words})(${AFTER[kind]})`, ignoresCase: kind === 'email' };
}

/** The full stop of a sentence may follow, the next label of a name may not. */
const AFTER: Readonly<Record<PersonName['kind'], string>> = {
  email: '$|[^A-Za-z0-9_.-]|[.-]($|[^A-Za-z0-9])',
  ip: '$|[^0-9A-Fa-f.:]|[.:]($|[^0-9A-Fa-f])',
  id: '$|[^A-Za-z0-9_-]',
  username: '$|[^A-Za-z0-9_-]',
};

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
