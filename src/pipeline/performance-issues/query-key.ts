/** What of a query tells it from others. */
export type QueryKey = {
  /** The query with its values replaced by `%s`, lists shortened, comments gone, and single spaces. */
  key: string;
  /** Whether it was sent with parameters in place of values. */
  hasParameters: boolean;
};

/** Of a query, that much is read. */
const QUERY_CHARS_MAX = 4_096;

const PLACEHOLDER = '%s';

/** Queries that differ only in their values have the same key. Time is in proportion to the length. */
export function queryKey(query: string): QueryKey {
  const text = query.slice(0, QUERY_CHARS_MAX);
  let key = '';
  let hasParameters = false;
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    const skipped = blankEnd(text, at);
    if (skipped > at) {
      if (key !== '' && !key.endsWith(' ')) key += ' ';
      at = skipped;
      continue;
    }
    const quoted = char === "'" ? quotedEnd(text, at) : at;
    const number = quoted > at ? at : numberEnd(text, at);
    const parameter = quoted > at || number > at ? at : parameterEnd(text, at);
    const end = Math.max(quoted, number, parameter);
    if (parameter > at) hasParameters = true;
    if (end > at) key += PLACEHOLDER;
    else if (char === '"' || char === '`') {
      // A quoted name is a name, digits and all.
      const close = text.indexOf(char, at + 1);
      const nameEnd = close === -1 ? text.length : close + 1;
      key += text.slice(at, nameEnd);
      at = nameEnd;
      continue;
    } else key += char;
    at = Math.max(end, at + 1);
  }
  return { key: shortenLists(key.trimEnd()), hasParameters };
}

/** `IN (%s, %s, %s)` and `VALUES (%s, %s), (%s, %s)` are as long as their data. */
const shortenLists = (key: string): string =>
  key.replace(/%s(?: ?, ?%s)+/g, PLACEHOLDER).replace(/\(%s\)(?: ?, ?\(%s\))+/g, '(%s)');

/** Behind a white space or a comment that begins here; the place itself when none does. */
function blankEnd(text: string, at: number): number {
  if (text.charCodeAt(at) <= 0x20) return at + 1;
  if (text.startsWith('/*', at)) return endOr(text.indexOf('*/', at + 2), 2, text.length);
  if (text.startsWith('--', at)) return endOr(text.indexOf('\n', at), 1, text.length);
  return at;
}

const endOr = (found: number, length: number, otherwise: number): number =>
  found === -1 ? otherwise : found + length;

/** Behind a text in single quotes, in which two stand for one and a backslash for what follows it. */
function quotedEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length) {
    const char = text[end];
    if (char === '\\') end += 2;
    else if (char !== "'") end += 1;
    else if (text[end + 1] === "'") end += 2;
    else return end + 1;
  }
  return text.length;
}

function numberEnd(text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at)) || isNamePart(text.charCodeAt(at - 1))) return at;
  let end = at + 1;
  while (isDigit(text.charCodeAt(end)) || text[end] === '.') end += 1;
  return isNamePart(text.charCodeAt(end)) ? at : end;
}

/** `%s`, `%(id)s`, `?`, `$1`, `:id`, `@p0`: what drivers write in place of a value. */
function parameterEnd(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  switch (text[at]) {
    case '?':
      return at + 1;
    case '$':
      return isDigit(next) ? nameEnd(text, at + 1) : at;
    case ':':
      // `::text` is a type.
      return isNamePart(next) && text[at - 1] !== ':' ? nameEnd(text, at + 1) : at;
    case '@':
      return isNamePart(next) ? nameEnd(text, at + 1) : at;
    case '%':
      if (text[at + 1] === 's') return at + 2;
      return text[at + 1] === '(' ? namedEnd(text, at) : at;
    default:
      return at;
  }
}

function namedEnd(text: string, at: number): number {
  const close = nameEnd(text, at + 2);
  return text.startsWith(')s', close) ? close + 2 : at;
}

function nameEnd(text: string, at: number): number {
  let end = at;
  while (isNamePart(text.charCodeAt(end))) end += 1;
  return end;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Letters, digits, `_`, and everything beyond ASCII. NaN, the end, is none. */
const isNamePart = (unit: number): boolean =>
  isDigit(unit) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x61 && unit <= 0x7a) ||
  unit === 0x5f ||
  unit > 0x7f;
