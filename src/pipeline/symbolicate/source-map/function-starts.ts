/** Where functions begin in the sources, for maps that say so. */
export type FunctionStarts = {
  /** By index of `sources`: the first of its entries, and one more for the end. */
  readonly sourceStarts: Uint32Array;
  /** From 0, ascending within a source. */
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  readonly nameIndexes: Uint32Array;
};

/** What a script's own code says of its functions, in the words of its sources. */
export type ScriptFunctions = {
  /** Of the one script, by position in it. NONE in place of a name index where code has no name that can be trusted. */
  readonly starts: FunctionStarts;
  readonly names: readonly string[];
};

/** Functions of one source map; the rest is left out. */
const FUNCTIONS_MAX = 1_000_000;
/** Function names of one source map. */
const FUNCTION_NAMES_MAX = 1_000_000;
/** Largest line and column: 31 bits. */
const LINE_MAX = 2 ** 31 - 1;

/**
 * Gathers what the bundler of React Native says of functions: `x_facebook_sources` holds for each source a list whose
 * first entry has names, and where they begin as numbers: column, name and line, each relative to the one before; lines
 * count from 1. A source whose entry cannot be read has no functions: the map is good without them.
 */
export class FunctionCollector {
  readonly names: string[] = [];
  #sourceStarts: number[] = [0];
  #lines: number[] = [];
  #columns: number[] = [];
  #nameIndexes: number[] = [];

  /** Of the next sources of the map, `count` of them. */
  add(entries: unknown, count: number): void {
    const list = Array.isArray(entries) ? entries : [];
    for (let index = 0; index < count; index++) {
      const [functions] = Array.isArray(list[index]) ? (list[index] as unknown[]) : [];
      if (isFunctions(functions)) this.#addSource(functions);
      this.#sourceStarts.push(this.#lines.length);
    }
  }

  /** null when nothing is known of any source. */
  finish(): FunctionStarts | null {
    if (this.#lines.length === 0) return null;
    return {
      sourceStarts: Uint32Array.from(this.#sourceStarts),
      lines: Uint32Array.from(this.#lines),
      columns: Uint32Array.from(this.#columns),
      nameIndexes: Uint32Array.from(this.#nameIndexes),
    };
  }

  #addSource({ names, mappings }: Functions): void {
    if (this.names.length + names.length > FUNCTION_NAMES_MAX) return;
    const first = this.#lines.length;
    const nameOffset = this.names.length;
    const isRead = eachStart(mappings, (line, column, name) => {
      if (this.#lines.length >= FUNCTIONS_MAX || name >= names.length) return false;
      this.#lines.push(line);
      this.#columns.push(column);
      this.#nameIndexes.push(nameOffset + name);
      return true;
    });
    if (!isRead || !this.#isAscending(first)) {
      this.#lines.length = first;
      this.#columns.length = first;
      this.#nameIndexes.length = first;
      return;
    }
    for (const name of names) this.names.push(name);
  }

  #isAscending(first: number): boolean {
    for (let at = first + 1; at < this.#lines.length; at++) {
      const step = (this.#lines[at] ?? 0) - (this.#lines[at - 1] ?? 0);
      if (step < 0 || (step === 0 && (this.#columns[at] ?? 0) < (this.#columns[at - 1] ?? 0))) return false;
    }
    return true;
  }
}

/** The name index of the function around a position, from 0; null when none is known. */
export function findFunction(
  starts: FunctionStarts,
  source: number,
  line: number,
  column: number,
): number | null {
  const first = starts.sourceStarts[source] ?? 0;
  let low = first;
  let high = starts.sourceStarts[source + 1] ?? first;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const startLine = starts.lines[middle] ?? 0;
    if (startLine < line || (startLine === line && (starts.columns[middle] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  return low === first ? null : (starts.nameIndexes[low - 1] ?? null);
}

type Functions = { names: readonly string[]; mappings: string };

const isFunctions = (value: unknown): value is Functions =>
  typeof value === 'object' &&
  value !== null &&
  'mappings' in value &&
  typeof value.mappings === 'string' &&
  'names' in value &&
  Array.isArray(value.names) &&
  value.names.every((name) => typeof name === 'string');

/** False when the text is broken, or `take` says that it is. */
function eachStart(mappings: string, take: (line: number, column: number, name: number) => boolean): boolean {
  const text = { mappings, at: 0 };
  let line = 1;
  let column = 0;
  let name = 0;
  while (text.at < mappings.length) {
    const sign = mappings[text.at];
    if (sign === ';' || sign === ',') {
      if (sign === ';') column = 0;
      text.at++;
      continue;
    }
    const numbers: number[] = [];
    while (text.at < mappings.length && mappings[text.at] !== ',' && mappings[text.at] !== ';') {
      const number = readVlq(text);
      if (number === null || numbers.length === 3) return false;
      numbers.push(number);
    }
    column += numbers[0] ?? 0;
    name += numbers[1] ?? 0;
    line += numbers[2] ?? 0;
    if (line < 1 || line > LINE_MAX || column < 0 || column > LINE_MAX || name < 0) return false;
    if (!take(line - 1, column, name)) return false;
  }
  return true;
}

const DIGIT_BITS = 5;
const CONTINUES = 1 << DIGIT_BITS;
const DIGIT_MASK = CONTINUES - 1;
/** Largest decoded number: 31 bits. */
const NUMBER_MAX = 2 ** 31 - 1;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads a number in base 64, its lowest bit the sign, and goes on behind it; null when there is none. */
function readVlq(text: { readonly mappings: string; at: number }): number | null {
  let value = 0;
  let factor = 1;
  for (;;) {
    const char = text.mappings[text.at];
    const digit = char === undefined ? -1 : DIGITS.indexOf(char);
    if (digit === -1) return null;
    text.at++;
    value += (digit & DIGIT_MASK) * factor;
    if (value > 2 * NUMBER_MAX + 1) return null;
    if ((digit & CONTINUES) === 0) break;
    factor *= CONTINUES;
  }
  const magnitude = Math.floor(value / 2);
  return value % 2 === 0 ? magnitude : -magnitude;
}
