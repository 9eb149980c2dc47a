import type { Language } from './languages.ts';

export type TokenKind = 'plain' | 'keyword' | 'text' | 'comment' | 'number' | 'call' | 'type';
export type Token = { kind: TokenKind; text: string };

/** What a line begins in: a comment or a text that an earlier line opened and did not close. */
type Open = { kind: 'comment' | 'text'; close: string };

/**
 * Lines of a source in parts that are coloured alike. Together the parts of a line are the line. Source comes from
 * outside, so every character is looked at a bounded number of times, whatever it is.
 */
export function highlightLines(lines: readonly string[], language: Language): Token[][] {
  let open: Open | null = null;
  return lines.map((line) => {
    const read = readLine(line, language, open);
    open = read.open;
    return read.tokens;
  });
}

function readLine(
  line: string,
  language: Language,
  startsIn: Open | null,
): { tokens: Token[]; open: Open | null } {
  const tokens: Token[] = [];
  let open = startsIn;
  let at = 0;
  while (at < line.length) {
    if (open) {
      const end = closeOf(line, at, open);
      add(tokens, open.kind, line.slice(at, end ?? line.length));
      if (end === null) break;
      at = end;
      open = null;
      continue;
    }
    const opened = openingAt(line, at, language);
    if (opened) {
      if (opened.open === null) {
        add(tokens, 'comment', line.slice(at));
        break;
      }
      const from = at + opened.length;
      const end = closeOf(line, from, opened.open);
      add(tokens, opened.open.kind, line.slice(at, end ?? line.length));
      if (end === null) {
        if (opened.isLong) open = opened.open;
        break;
      }
      at = end;
      continue;
    }
    const word = wordAt(line, at);
    if (word) {
      add(tokens, kindOf(word, line, at + word.length, language), word);
      at += word.length;
    } else {
      add(tokens, 'plain', line.charAt(at));
      at += 1;
    }
  }
  return { tokens, open };
}

/** A comment up to the end of the line has `open` null. */
function openingAt(
  line: string,
  at: number,
  { lineComments, blockComment, quotes, longQuotes }: Language,
): { open: Open | null; length: number; isLong: boolean } | null {
  if (lineComments.some((mark) => line.startsWith(mark, at))) {
    return { open: null, length: 0, isLong: false };
  }
  if (blockComment && line.startsWith(blockComment[0], at)) {
    return {
      open: { kind: 'comment', close: blockComment[1] },
      length: blockComment[0].length,
      isLong: true,
    };
  }
  const quote = quotes.find((mark) => line.startsWith(mark, at));
  return quote === undefined
    ? null
    : { open: { kind: 'text', close: quote }, length: quote.length, isLong: longQuotes.includes(quote) };
}

/** Just behind what closes it; null when the line does not. */
function closeOf(line: string, from: number, { kind, close }: Open): number | null {
  if (kind === 'comment') {
    const found = line.indexOf(close, from);
    return found < 0 ? null : found + close.length;
  }
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return null;
}

const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*|\d[\w.]*/uy;

function wordAt(line: string, at: number): string | null {
  WORD.lastIndex = at;
  return WORD.exec(line)?.[0] ?? null;
}

function kindOf(word: string, line: string, end: number, { keywords }: Language): TokenKind {
  if (/^\d/.test(word)) return 'number';
  if (keywords.has(word)) return 'keyword';
  if (line[end] === '(') return 'call';
  return /^\p{Lu}.*\p{Ll}/u.test(word) ? 'type' : 'plain';
}

/** Neighbours of one kind are one part. */
function add(tokens: Token[], kind: TokenKind, text: string): void {
  const last = tokens.at(-1);
  if (last?.kind === kind) last.text += text;
  else if (text !== '') tokens.push({ kind, text });
}
