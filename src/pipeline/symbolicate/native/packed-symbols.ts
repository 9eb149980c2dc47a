/** What a symbol file says it is of. */
export type SymbolsHead = {
  /** As the file names it: `Linux`, `mac`, `windows`. */
  os: string;
  /** `x86_64`, `arm64` … */
  arch: string;
  /** Lower case, with dashes; the age in hex behind another one, left out when it is 0. */
  debugId: string;
  /** Of the program or library. */
  name: string;
};

/**
 * The symbols of a program or a library, outside of the heap, in memory that threads share. Addresses are relative to where
 * it was loaded. Tables are rows of WIDTH numbers in the order of their addresses; `at` and `length` are of `text`.
 */
export type PackedSymbols = {
  readonly head: SymbolsHead;
  /** Names and rules, in UTF-8. */
  readonly text: Uint8Array;
  /** address, end, at, length, first line, lines, first inline, inlines. */
  readonly functions: Uint32Array;
  /** address, end, line, name of the file; of each function in the order of addresses. */
  readonly lines: Uint32Array;
  /** depth, address, end, line and file of the call, name of the function; of each function in this order. */
  readonly inlines: Uint32Array;
  /** address, at, length: symbols of which only the beginning is known. */
  readonly publics: Uint32Array;
  /** at, length: of files and of inlined functions. */
  readonly names: Uint32Array;
  /** address, end, at, length, first change, changes: how to find the caller. */
  readonly unwind: Uint32Array;
  /** address, at, length: what is different from there on. */
  readonly changes: Uint32Array;
  /** address, end, parameters, saved registers, locals, at, length: the same for x86 of Windows. */
  readonly frameData: Uint32Array;
  /** What it occupies. */
  readonly bytes: number;
};

export const WIDTH = {
  functions: 8,
  lines: 4,
  inlines: 6,
  publics: 3,
  names: 2,
  unwind: 6,
  changes: 3,
  frameData: 7,
} as const;

export type SymbolTable = keyof typeof WIDTH;

/** Of a file that is not known. */
export const NO_NAME = 0xffffffff;

/** The last row of `count` from `first` on whose column is not above the value; -1 for none. */
export function lastRow(
  table: Uint32Array,
  width: number,
  value: number,
  { first, count, column = 0 }: { first: number; count: number; column?: number },
): number {
  let low = first;
  let high = first + count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((table[middle * width + column] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low > first ? low - 1 : -1;
}

const decoder = new TextDecoder();

/** Text of the pool; empty for none. Memory that is shared has to be copied to be read. */
export const textAt = ({ text }: Pick<PackedSymbols, 'text'>, at: number, length: number): string =>
  decoder.decode(text.slice(at, at + length));
