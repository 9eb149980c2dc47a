/** Marks that stand over and below one letter: no script of people needs more, and any number fits into no line. */
const COMBINING_MARKS_MAX = 8;

/** Invisible characters: controls, bidi overrides, zero-width spaces and tags, but not joiners and bidi marks. */
const UNSEEN =
  /(?![\t\n\r])\p{Cc}|[\u00AD\u180E\u200B\u2060\u2066-\u2069\u202A-\u202E\uFEFF\u{E0000}-\u{E007F}]/u;
const STACKED = new RegExp(`\\p{M}{${COMBINING_MARKS_MAX + 1}}`, 'u');

const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu');
const EVERY_STACKED = new RegExp(`(\\p{M}{${COMBINING_MARKS_MAX}})(\\p{M}+)`, 'gu');
const ISOLATES = /[\u2066-\u2069]/;

/**
 * The text as people can see all of it: what is not to be seen stands as its number, such as `[U+202E]`, so that it can
 * neither hide in the text nor turn round what stands beside it. Of stacked marks the first 8 stay. Isolates that are
 * closed again stay as well: translated messages put their parts into them.
 */
export function visibleText(text: string): string {
  if (!UNSEEN.test(text) && !STACKED.test(text)) return text;
  const balanced = ISOLATES.test(text) ? findBalancedIsolates(text) : NONE;
  return text
    .replace(EVERY_UNSEEN, (sign, at: number) => (balanced.has(at) ? sign : codeOf(sign)))
    .replace(EVERY_STACKED, (_, first: string, rest: string) => `${first}[+${[...rest].length} marks]`);
}

const NONE: ReadonlySet<number> = new Set();

const codeOf = (sign: string): string =>
  `[U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Places of isolates that are opened and closed within a line. */
function findBalancedIsolates(text: string): ReadonlySet<number> {
  const balanced = new Set<number>();
  let open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x0a || sign === 0x0d) open = [];
    else if (sign >= 0x2066 && sign <= 0x2068) open.push(at);
    else if (sign === 0x2069) {
      const opened = open.pop();
      if (opened !== undefined) balanced.add(opened).add(at);
    }
  }
  return balanced;
}

/** The beginning of a text, as `visibleText`: what is cut in two there (an emoji, an isolate) turns nothing round either. */
export const visibleStart = (text: string, charactersMax: number): string =>
  visibleText(text.slice(0, charactersMax).toWellFormed());

/** `visibleText` for every text in data, keys included. Data without invisible characters is returned as is. */
export function visibleData<T>(data: T): T {
  return visible(data) as T;
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(visible);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const shown = entries.map(([key, part]) => [visibleText(key), visible(part)] as const);
  const isSame = shown.every(
    ([key, part], index) => key === entries[index]?.[0] && part === entries[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(shown);
}
