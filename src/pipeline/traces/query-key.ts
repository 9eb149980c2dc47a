/** What of a query tells it from others. */
export type QueryKey = {
  /** The query with its values replaced by `%s`, lists shortened, comments gone, and single spaces. */
  key: string;
  /** Whether it was sent with parameters in place of values. */
  hasParameters: boolean;
};

/** Of a query, that much is read. */
export const QUERY_CHARS_MAX = 4_096;

const PLACEHOLDER = '%s';

/** Queries that differ only in their values have the same key. Time is in proportion to the length. */
export function queryKey(query: string): QueryKey {
  let hasParameters = false;
  const key = query.slice(0, QUERY_CHARS_MAX).replace(TOKEN, (token, blank, name, value) => {
    if (blank !== undefined) return ' ';
    if (name !== undefined) return token;
    if (value === undefined) hasParameters = true;
    return PLACEHOLDER;
  });
  return { key: shortenLists(key.trim()), hasParameters };
}

/** Comments, and spaces other than a single one. */
const BLANK = String.raw`(?! [^\s/-])(?:\s|/\*[^]*?(?:\*/|$)|--[^\n]*)+`;
/** In quotes: names, digits and all. */
const NAME = '"[^"]*"?|`[^`]*`?';
/** A text, in which two quotes stand for one and a backslash for what follows it, or a number. */
const VALUE = String.raw`'(?:[^'\\]|\\[^]?|'')*'?|(?<![\w\u0080-\uffff])\d[\w.]*`;
/** `%s`, `%(id)s`, `?`, `$1`, `:id`, `@p0`: what drivers write in place of a value. `::text` is a type. */
const PARAMETER = String.raw`%s|%\(\w+\)s|\?|(?<!\w)\$\d+|(?<!:):\w+|(?<![@\w])@\w+`;

/** Each part matches from wherever it begins, so that nothing is tried twice. */
const TOKEN = new RegExp(`(?=[\\s/\\-"\`'\\d%?$:@])(?:(${BLANK})|(${NAME})|(${VALUE})|${PARAMETER})`, 'g');

/** `IN (%s, %s, %s)` and `VALUES (%s, %s), (%s, %s)` are as long as their data. */
const shortenLists = (key: string): string =>
  key.replace(/%s(?: ?, ?%s)+/g, PLACEHOLDER).replace(/\(%s\)(?: ?, ?\(%s\))+/g, '(%s)');
