import { cutText, toSafeText } from '#pipeline/normalize/safe-text.ts';
import { LINE_START_BYTES } from '../source-map/packed-map.ts';

const NEWLINE = 10;
const RETURN = 13;
const FIRST_LINES = 64;
/** A source with more lines has no context at all. */
export const LINES_MAX = 2_000_000;
/** Bytes decoded at once: the lines around a frame are mostly short. */
const STRETCH_BYTES_MAX = 32 * 1024;
/** Bytes of one character in UTF-8. */
const CHAR_BYTES_MAX = 4;

/** A source by its lines, which are found once and decoded when somebody asks for them. */
export class SourceText {
  readonly #bytes: Buffer;
  #starts: Uint32Array | null = null;

  /** UTF-8. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The whole text. */
  get utf8(): Uint8Array {
    return this.#bytes;
  }

  get lineCount(): number {
    return this.#lineStarts().length;
  }

  /** What it occupies once its lines are found. */
  get bytes(): number {
    return this.#bytes.length + this.lineCount * LINE_START_BYTES;
  }

  /** Lines from 0 without their ends, each cut to so many characters. */
  lines(from: number, to: number, charsMax: number): string[] {
    if (from >= to) return [];
    const start = this.#startOf(from);
    const end = this.#endOf(to - 1);
    if (end - start > STRETCH_BYTES_MAX) {
      return Array.from({ length: to - from }, (_, index) => this.#head(from + index, charsMax));
    }
    const lines = this.#bytes.toString('utf8', start, end).split('\n');
    return lines.map((line) => cutText(line.endsWith('\r') ? line.slice(0, -1) : line, charsMax));
  }

  /**
   * One line, from 0; of a longer one what stands around a column: `charsBefore` of it come before. What is left out is
   * told by `…`.
   */
  lineAround(index: number, column: number, charsMax: number, charsBefore: number): string {
    const start = this.#startOf(index);
    const end = this.#endOf(index);
    if (end - start <= STRETCH_BYTES_MAX) {
      return around(this.#bytes.toString('utf8', start, end), column, charsMax, charsBefore);
    }
    // Of a line that long only a part is decoded; a column counts as a byte, as in nearly all code.
    const first = Math.max(start, Math.min(start + column - charsBefore, end - charsMax));
    const cut = toWholeSigns(this.#bytes.toString('utf8', first, Math.min(end, first + charsMax - 2)));
    return `${first > start ? '…' : ''}${cut}${first + charsMax - 2 < end ? '…' : ''}`;
  }

  #head(index: number, charsMax: number): string {
    const start = this.#startOf(index);
    const end = Math.min(this.#endOf(index), start + charsMax * CHAR_BYTES_MAX);
    return cutText(this.#bytes.toString('utf8', start, end), charsMax);
  }

  #startOf(index: number): number {
    return this.#lineStarts()[index] ?? this.#bytes.length;
  }

  #endOf(index: number): number {
    let end = this.#lineStarts()[index + 1] ?? this.#bytes.length;
    const start = this.#startOf(index);
    if (end > start && this.#bytes[end - 1] === NEWLINE) end--;
    if (end > start && this.#bytes[end - 1] === RETURN) end--;
    return end;
  }

  #lineStarts(): Uint32Array {
    this.#starts ??= findLineStarts(this.#bytes);
    return this.#starts;
  }
}

/** A last line without anything in it is none. */
function findLineStarts(bytes: Buffer): Uint32Array {
  let starts = new Uint32Array(FIRST_LINES);
  let count = bytes.length === 0 ? 0 : 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && at + 1 < bytes.length; ) {
    if (count === LINES_MAX) return new Uint32Array(0);
    if (count === starts.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at + 1;
    at = bytes.indexOf(NEWLINE, at + 1);
  }
  return starts.slice(0, count);
}

function around(text: string, column: number, charsMax: number, charsBefore: number): string {
  if (text.length <= charsMax) return text;
  const from = Math.max(0, Math.min(column - charsBefore, text.length - charsMax + 2));
  const cut = text.slice(from, from + charsMax - 2);
  return `${from > 0 ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`;
}

/** Without what was cut through at either end. */
const toWholeSigns = (text: string): string => text.replace(/^\ufffd+|\ufffd+$/g, '');

/** The name of the package, which may have a scope. */
const WEBPACK_NAMESPACE = /^webpack:\/\/(?:@[\w.-]+\/)?[\w@.-]+\/\.\//;
const WEBPACK_ROOT = 'webpack:///';
const OLD_PACKAGE = '/~/';

/** How a source is called in lists: the bundler's prefixes taken off its name in the map. */
export function sourceFileName(name: string): string {
  if (!name.startsWith('webpack:')) return name;
  const old = name.indexOf(OLD_PACKAGE);
  if (old !== -1) return `~/${name.slice(old + OLD_PACKAGE.length)}`;
  if (WEBPACK_NAMESPACE.test(name)) return name.replace(WEBPACK_NAMESPACE, './');
  return name.startsWith(WEBPACK_ROOT) ? name.slice(WEBPACK_ROOT.length) : name;
}

const PACKAGE_FOLDER = /(?:^|[/\\])node_modules[/\\]/;

/** Whether a source is the user's own; null when nothing about it says. */
export function isOwnSource(address: string, fileName: string): boolean | null {
  if (PACKAGE_FOLDER.test(address) || PACKAGE_FOLDER.test(fileName) || fileName.startsWith('~/'))
    return false;
  if (address.startsWith('webpack:')) return fileName.startsWith('./') || fileName.startsWith('../');
  return address.startsWith('app:') ? true : null;
}

/** Lines before and after the frame's own. */
const CONTEXT_LINES = 5;
/** One source line in the context of a frame. */
const LINE_CHARS_MAX = 1_024;
/** What is kept before the frame's column when its line is too long to keep whole. */
const CHARS_BEFORE_COLUMN = 256;

export type SourceContext = { before: readonly string[]; line: string; after: readonly string[] };

/** The lines around one, from 0; null when the text has no such line. */
export function sourceContext(text: SourceText, line: number, column: number): SourceContext | null {
  if (line < 0 || line >= text.lineCount) return null;
  const end = Math.min(text.lineCount, line + 1 + CONTEXT_LINES);
  return {
    before: safe(text.lines(Math.max(0, line - CONTEXT_LINES), line, LINE_CHARS_MAX)),
    line: toSafeText(text.lineAround(line, column, LINE_CHARS_MAX, CHARS_BEFORE_COLUMN)),
    after: safe(text.lines(line + 1, end, LINE_CHARS_MAX)),
  };
}

const safe = (lines: readonly string[]): readonly string[] => lines.map(toSafeText);
