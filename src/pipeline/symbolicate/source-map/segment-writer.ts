import { GENERATED_LINES_MAX, InvalidSourceMap, NONE, SEGMENTS_MAX, type Segments } from './source-map.ts';

const FIRST_CAPACITY = 1_024;
const FIELDS = 5;

/** Takes segments line by line and packs them. Throws InvalidSourceMap beyond the limits. */
export class SegmentWriter {
  #fields = new Uint32Array(FIRST_CAPACITY * FIELDS);
  #count = 0;
  #lineStarts = [0];
  #isSorted = true;
  /** Of the last segment added; -1 while the line has none. */
  #lastColumn = -1;

  /** The line that segments are added to, from 0. */
  get line(): number {
    return this.#lineStarts.length - 1;
  }

  add(column: number, source: number, line: number, originalColumn: number, name: number): void {
    if (this.#count === SEGMENTS_MAX) throw new InvalidSourceMap(`It has more than ${SEGMENTS_MAX} segments`);
    if (column < this.#lastColumn) this.#isSorted = false;
    this.#lastColumn = column;
    let at = this.#count * FIELDS;
    if (at === this.#fields.length) {
      const larger = new Uint32Array(Math.min(this.#fields.length * 2, SEGMENTS_MAX * FIELDS));
      larger.set(this.#fields);
      this.#fields = larger;
    }
    this.#fields[at++] = column;
    this.#fields[at++] = source;
    this.#fields[at++] = line;
    this.#fields[at++] = originalColumn;
    this.#fields[at] = name;
    this.#count++;
  }

  endLine(): void {
    this.#sortLine();
    if (this.#lineStarts.length > GENERATED_LINES_MAX) {
      throw new InvalidSourceMap(`It has more than ${GENERATED_LINES_MAX} generated lines`);
    }
    this.#lineStarts.push(this.#count);
    this.#lastColumn = -1;
  }

  /**
   * Goes on at a place further down. Bundlers end a section with empty lines that reach into the next one, so those do
   * not count. Answers false when a segment stands at the place or after it.
   */
  moveTo(line: number, column: number): boolean {
    while (this.line > line && this.#isEmptyLine()) this.#lineStarts.pop();
    if (this.line > line) return false;
    if (this.line === line) {
      this.#sortLine();
      this.#lastColumn = this.#isEmptyLine() ? -1 : (this.#fields[(this.#count - 1) * FIELDS] ?? -1);
      return this.#lastColumn < column;
    }
    while (this.line < line) this.endLine();
    return true;
  }

  finish(): Segments {
    this.endLine();
    const column = (field: number) => {
      const values = new Uint32Array(this.#count);
      for (let index = 0, at = field; index < this.#count; index++, at += FIELDS) {
        values[index] = this.#fields[at] ?? NONE;
      }
      return values;
    };
    return {
      lineStarts: Uint32Array.from(this.#lineStarts),
      generatedColumns: column(0),
      sourceIndexes: column(1),
      originalLines: column(2),
      originalColumns: column(3),
      nameIndexes: column(4),
    };
  }

  #isEmptyLine(): boolean {
    return this.#lineStarts[this.line] === this.#count;
  }

  /**
   * Of segments at the same column the last one in the text stays last. One line may hold all segments of a map: each is
   * one number of 64 bits, its column above its place, rather than an object.
   */
  #sortLine(): void {
    if (this.#isSorted) return;
    const from = this.#lineStarts[this.line] ?? 0;
    const length = this.#count - from;
    const keys = new BigUint64Array(length);
    for (let index = 0; index < length; index++) {
      keys[index] = (BigInt(this.#fields[(from + index) * FIELDS] ?? 0) << 32n) | BigInt(index);
    }
    keys.sort();
    const rows = this.#fields.slice(from * FIELDS, this.#count * FIELDS);
    for (const [index, key] of keys.entries()) {
      const place = Number(BigInt.asUintN(32, key)) * FIELDS;
      this.#fields.set(rows.subarray(place, place + FIELDS), (from + index) * FIELDS);
    }
    this.#isSorted = true;
  }
}
