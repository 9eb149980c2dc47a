import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import type { SensitiveKeys } from './sensitive-keys.ts';

/** Name of a parameter found in text. */
const NAME_CHARS_MAX = 128;

/** Headers that hold nothing but credentials: up to the end of their line, in any text. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'api-key',
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
]);

/** Whether a text can hold a parameter at all; most texts cannot. */
export const mayHoldParameters = (text: string): boolean =>
  text.includes('=') || (text.includes(':') && NAMED.test(text));

/** Behind a quoted name, or behind a header's. */
const NAMED = /(?:authorization|cookie|token|api-key|["'`])['"`\\]{0,4}\s{0,4}:/i;

/**
 * Values of parameters whose names are sensitive, wherever they stand in a text: `?token=…&page=2`, `--password=…`,
 * `Password=…;`, `"password": "…"`, `Authorization: Token …`. With `isFile` also lines such as `password: …`, as files
 * of settings have them; in a message such a line is more often a sentence. Time is linear: each sign is looked at once,
 * with a bounded look behind it.
 */
export function findSecretParameters(text: string, keys: SensitiveKeys, isFile = false): TextRange[] {
  const found: TextRange[] = [];
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    const at = sign.index;
    const range = sign[0] === '=' ? assignedAt(text, at, keys) : namedAt(text, at, keys, isFile);
    if (range === null || range[1] <= range[0]) continue;
    found.push(range);
    SIGN.lastIndex = range[1];
  }
  return found;
}

const SIGN = /[=:]/g;

/** The value behind `name=`, quoted or not. */
function assignedAt(text: string, sign: number, keys: SensitiveKeys): TextRange | null {
  let end = sign;
  while (end > 0 && isBlank(text[end - 1] as string) && sign - end < BLANKS_MAX) end -= 1;
  const name = nameBefore(text, end);
  if (name === '' || !isSecretName(name, keys)) return null;
  // `token == other` compares, `token => value` does something else.
  if (text[sign + 1] === '=' || text[sign + 1] === '>') return null;
  // In code and in sentences blanks stand around the sign; what follows is a secret only in quotes.
  const isSpaced = end < sign;
  const start = skipBlanks(text, sign + 1);
  const quoted = quotedValueAt(text, start);
  if (quoted !== null) return quoted;
  if (isSpaced || start > sign + 1) return null;
  return bareValueAt(text, start, name, PARAMETER_VALUE);
}

/** The value behind `"name":`, behind a header's name, and in a file behind the first name of a line. */
function namedAt(text: string, sign: number, keys: SensitiveKeys, isFile: boolean): TextRange | null {
  let end = sign;
  while (end > 0 && isBlank(text[end - 1] as string) && sign - end < BLANKS_MAX) end -= 1;
  const isQuoted = isQuote(text[end - 1]);
  if (isQuoted) end -= 1;
  while (isQuoted && text[end - 1] === '\\') end -= 1;
  const name = nameBefore(text, end);
  if (name === '') return null;
  const start = skipBlanks(text, sign + 1);
  if (SECRET_HEADERS.has(name.toLowerCase())) return quotedValueAt(text, start) ?? restOfLine(text, start);
  if (!isQuoted && !(isFile && isFirstOfLine(text, end - name.length))) return null;
  if (!isSecretName(name, keys)) return null;
  return quotedValueAt(text, start) ?? bareValueAt(text, start, name, isQuoted ? JSON_VALUE : LINE_VALUE);
}

/** Blanks between a name, its sign and its value. */
const BLANKS_MAX = 4;
const PARAMETER_VALUE = /[^&;#\s"'<>]+/y;
const JSON_VALUE = /[^\s"',{}[\]]+/y;
const LINE_VALUE = /[^\s"'{}[\]#|>][^\r\n]*/y;
const LITERAL = /^(?:null|none|nil|true|false|undefined)$/i;

function bareValueAt(text: string, start: number, name: string, pattern: RegExp): TextRange | null {
  pattern.lastIndex = start;
  const value = pattern.exec(text)?.[0];
  if (value === undefined || LITERAL.test(value)) return null;
  // Numbers of tokens are no tokens.
  if (/tokens/i.test(name) && /^\d+$/.test(value)) return null;
  return [start, pattern.lastIndex];
}

/** What stands between quotes, escaped as deeply as the first of them; up to the end of the text without a second one. */
function quotedValueAt(text: string, start: number): TextRange | null {
  let open = start;
  while (text[open] === '\\') open += 1;
  const quote = text[open];
  if (!isQuote(quote)) return null;
  const depth = open - start;
  for (let at = text.indexOf(quote, open + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\' && at - 1 - escapes > open) escapes += 1;
    if (escapes === depth || (depth === 0 && escapes % 2 === 0)) return [open + 1, at - escapes];
  }
  return [open + 1, text.length];
}

function restOfLine(text: string, start: number): TextRange {
  REST_OF_LINE.lastIndex = start;
  REST_OF_LINE.test(text);
  return [start, Math.max(start, REST_OF_LINE.lastIndex)];
}

/** Quotes end it too: a header is often an argument of a command. */
const REST_OF_LINE = /[^\r\n"'`]*/y;

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < NAME_CHARS_MAX && !NAME_ENDS.has(text[start - 1] as string)) start -= 1;
  return text.slice(start, end);
}

const NAME_ENDS: ReadonlySet<string> = new Set(' \t\r\n\0\u00a0?&;#,{}()<>|"\'`=:/\\');

function isFirstOfLine(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && start - at < INDENT_MAX && (isBlank(text[at - 1] as string) || text[at - 1] === '-'))
    at -= 1;
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r';
}

/** Indentation of a name in a line. */
const INDENT_MAX = 64;

/** `author` begins as `auth` does, and is no credential. */
const isSecretName = (name: string, keys: SensitiveKeys): boolean =>
  keys.judgeParameter(name) !== null && !/(?:^|[^a-z])author(?!i[sz])/i.test(name);

const isQuote = (char: string | undefined): char is string => char === '"' || char === "'" || char === '`';
const isBlank = (char: string): boolean => char === ' ' || char === '\t';

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < BLANKS_MAX && isBlank(text[at] ?? '')) at += 1;
  return at;
}
