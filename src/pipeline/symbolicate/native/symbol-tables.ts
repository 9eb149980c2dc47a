import { toSharedMemory } from '../shared-memory.ts';
import { type PackedSymbols, type SymbolsHead, type SymbolTable, WIDTH } from './packed-symbols.ts';

/** Symbols of one file as they are kept. */
export const PACKED_SYMBOLS_BYTES_MAX = 128 * 1024 * 1024;
/** Different names and rules that are kept once. */
const SHARED_TEXTS_MAX = 200_000;

/** The file is none, or is too large to be kept: a sentence for people. */
export class InvalidSymbols extends Error {}

/** Rows of numbers, as they are added. */
export class Rows {
  readonly width: number;
  #data = new Uint32Array(1_024);
  #length = 0;

  constructor(width: number) {
    this.width = width;
  }

  get count(): number {
    return this.#length / this.width;
  }

  get bytes(): number {
    return this.#length * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** As many values as the rows are wide. Answers the number of the row. */
  add(...values: readonly number[]): number {
    if (this.#length + this.width > this.#data.length) {
      const larger = new Uint32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    const at = this.#length;
    for (let column = 0; column < this.width; column++) this.#data[at + column] = values[column] ?? 0;
    this.#length += this.width;
    return at / this.width;
  }

  get(row: number, column: number): number {
    return this.#data[row * this.width + column] as number;
  }

  set(row: number, column: number, value: number): void {
    this.#data[row * this.width + column] = value;
  }

  /** Puts rows in the order of their columns, the first one first. Costs nothing where they are in it. */
  sort(columns: readonly number[], first = 0, count = this.count - first): void {
    const { width } = this;
    const data = this.#data;
    const compare = (a: number, b: number): number => {
      for (const column of columns) {
        const difference = (data[a * width + column] as number) - (data[b * width + column] as number);
        if (difference !== 0) return difference;
      }
      return a - b;
    };
    let isSorted = true;
    for (let row = first + 1; row < first + count && isSorted; row++) isSorted = compare(row - 1, row) < 0;
    if (isSorted) return;
    const order = Uint32Array.from({ length: count }, (_, index) => first + index).sort(compare);
    const sorted = new Uint32Array(count * width);
    for (const [to, from] of order.entries()) {
      sorted.set(data.subarray(from * width, (from + 1) * width), to * width);
    }
    data.set(sorted, first * width);
  }

  pack(): Uint32Array {
    return toSharedMemory(this.#data.slice(0, this.#length));
  }
}

/** What is read of a symbol file, until it is packed. */
export class SymbolTables {
  readonly rows: Readonly<Record<SymbolTable, Rows>> = {
    functions: new Rows(WIDTH.functions),
    lines: new Rows(WIDTH.lines),
    inlines: new Rows(WIDTH.inlines),
    publics: new Rows(WIDTH.publics),
    names: new Rows(WIDTH.names),
    unwind: new Rows(WIDTH.unwind),
    changes: new Rows(WIDTH.changes),
    frameData: new Rows(WIDTH.frameData),
  };
  #text = new Uint8Array(64 * 1024);
  #textLength = 0;
  readonly #known = new Map<string, number>();

  /** Where the text lies; the same texts lie in one place, as far as that many are remembered. */
  addText(bytes: Uint8Array): number {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    while (this.#textLength + bytes.length > this.#text.length) {
      const larger = new Uint8Array(this.#text.length * 2);
      larger.set(this.#text);
      this.#text = larger;
    }
    const at = this.#textLength;
    this.#text.set(bytes, at);
    this.#textLength += bytes.length;
    if (this.#known.size < SHARED_TEXTS_MAX) this.#known.set(key, at);
    return at;
  }

  get bytes(): number {
    return Object.values(this.rows).reduce((sum, rows) => sum + rows.bytes, this.#textLength);
  }

  /** Throws InvalidSymbols once they are too many. */
  checkSize(): void {
    if (this.bytes > PACKED_SYMBOLS_BYTES_MAX) {
      throw new InvalidSymbols(
        `Its symbols need more than ${PACKED_SYMBOLS_BYTES_MAX / 1024 / 1024} MiB of memory`,
      );
    }
  }

  /** Sorted; changes belong to the rows before them and stay there. */
  pack(head: SymbolsHead): PackedSymbols {
    this.checkSize();
    const { rows } = this;
    for (let row = 0; row < rows.functions.count; row++) {
      rows.lines.sort([0], rows.functions.get(row, 4), rows.functions.get(row, 5));
      rows.inlines.sort([0, 1], rows.functions.get(row, 6), rows.functions.get(row, 7));
    }
    for (let row = 0; row < rows.unwind.count; row++) {
      rows.changes.sort([0], rows.unwind.get(row, 4), rows.unwind.get(row, 5));
    }
    for (const table of ['functions', 'publics', 'unwind', 'frameData'] as const) rows[table].sort([0]);
    return {
      head,
      text: toSharedMemory(this.#text.slice(0, this.#textLength)),
      functions: rows.functions.pack(),
      lines: rows.lines.pack(),
      inlines: rows.inlines.pack(),
      publics: rows.publics.pack(),
      names: rows.names.pack(),
      unwind: rows.unwind.pack(),
      changes: rows.changes.pack(),
      frameData: rows.frameData.pack(),
      bytes: this.bytes,
    };
  }
}
