import { lastRow, NO_NAME, type PackedSymbols, textAt, WIDTH } from './packed-symbols.ts';

/** A call at an address: of a function, or of one that the compiler put into it. */
export type SymbolCall = { function: string | null; file: string | null; line: number | null };

export type FoundSymbol = {
  /** Where the function begins, relative to the module. */
  address: number;
  /** The innermost first; never empty. */
  calls: readonly SymbolCall[];
};

/** Calls at one address that compilers put into one another. */
export const INLINED_CALLS_MAX = 64;

/** What is at an address, relative to where the module was loaded; null when no symbol covers it. */
export function findSymbol(symbols: PackedSymbols, address: number): FoundSymbol | null {
  const row = functionAt(symbols, address);
  if (row >= 0) return readFunction(symbols, row, address);
  const found = publicAt(symbols, address);
  if (found < 0) return null;
  const at = found * WIDTH.publics;
  const { publics } = symbols;
  const name = textAt(symbols, publics[at + 1] as number, publics[at + 2] as number);
  return { address: publics[at] as number, calls: [{ function: name || null, file: null, line: null }] };
}

/** Whether any symbol covers the address: what points elsewhere is no return address. */
export const hasSymbol = (symbols: PackedSymbols, address: number): boolean =>
  functionAt(symbols, address) >= 0 || publicAt(symbols, address) >= 0;

function functionAt({ functions }: PackedSymbols, address: number): number {
  const count = functions.length / WIDTH.functions;
  const row = lastRow(functions, WIDTH.functions, address, { first: 0, count });
  return row >= 0 && address < (functions[row * WIDTH.functions + 1] as number) ? row : -1;
}

/** Its end is not known: the next function that is known ends it. */
function publicAt({ functions, publics }: PackedSymbols, address: number): number {
  const row = lastRow(publics, WIDTH.publics, address, { first: 0, count: publics.length / WIDTH.publics });
  if (row < 0) return -1;
  const count = functions.length / WIDTH.functions;
  const before = lastRow(functions, WIDTH.functions, address, { first: 0, count });
  const isEnded =
    before >= 0 && (functions[before * WIDTH.functions] as number) > (publics[row * WIDTH.publics] as number);
  return isEnded ? -1 : row;
}

function readFunction(symbols: PackedSymbols, row: number, address: number): FoundSymbol {
  const { functions } = symbols;
  const [begin, , at, length, firstLine, lines, firstInline, inlines] = functions.subarray(
    row * WIDTH.functions,
    (row + 1) * WIDTH.functions,
  ) as unknown as readonly [number, number, number, number, number, number, number, number];
  // From the outside in, each is where the one before it was called; the line is of the innermost.
  const calls: SymbolCall[] = [];
  let name = textAt(symbols, at, length);
  for (const inlined of inlinedAt(symbols, address, firstInline, inlines)) {
    calls.push(callOf(symbols, name, inlined.line, inlined.file));
    name = nameAt(symbols, inlined.origin) ?? '';
  }
  const line = lineAt(symbols, address, firstLine, lines);
  calls.push(callOf(symbols, name, line?.line ?? 0, line?.file ?? NO_NAME));
  return { address: begin, calls: calls.reverse() };
}

type InlinedCall = { line: number; file: number; origin: number };

/** One of each depth, the outermost first. They are in the order of depth and address. */
function inlinedAt(
  { inlines }: PackedSymbols,
  address: number,
  first: number,
  count: number,
): readonly InlinedCall[] {
  const calls: InlinedCall[] = [];
  const end = first + count;
  for (let depth = 0, from = first; depth < INLINED_CALLS_MAX && from < end; depth++) {
    const last = lastRow(inlines, WIDTH.inlines, depth, { first: from, count: end - from });
    if (last < from || inlines[last * WIDTH.inlines] !== depth) break;
    const row = lastRow(inlines, WIDTH.inlines, address, { first: from, count: last + 1 - from, column: 1 });
    if (row < 0) break;
    const at = row * WIDTH.inlines;
    if (address >= (inlines[at + 2] as number)) break;
    calls.push({
      line: inlines[at + 3] as number,
      file: inlines[at + 4] as number,
      origin: inlines[at + 5] as number,
    });
    from = last + 1;
  }
  return calls;
}

function lineAt(
  { lines }: PackedSymbols,
  address: number,
  first: number,
  count: number,
): { line: number; file: number } | null {
  const row = lastRow(lines, WIDTH.lines, address, { first, count });
  if (row < 0) return null;
  const at = row * WIDTH.lines;
  return address < (lines[at + 1] as number)
    ? { line: lines[at + 2] as number, file: lines[at + 3] as number }
    : null;
}

/** Line 0 is what compilers say of code that stands in no line. */
const callOf = (symbols: PackedSymbols, name: string, line: number, file: number): SymbolCall => ({
  function: name || null,
  file: nameAt(symbols, file),
  line: line > 0 ? line : null,
});

function nameAt(symbols: PackedSymbols, row: number): string | null {
  if (row === NO_NAME) return null;
  const at = row * WIDTH.names;
  return textAt(symbols, symbols.names[at] as number, symbols.names[at + 1] as number) || null;
}
