/**
 * Writes rows in ClickHouse's format RowBinary, value after value in the order of the columns: neither side spends time
 * on quoting what is JSON already. Source: https://clickhouse.com/docs/interfaces/formats/RowBinary.
 */
export class RowBinaryWriter {
  #bytes: Buffer;
  #end = 0;

  constructor(bytesExpected: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(bytesExpected, 1024));
  }

  /** Characters that are no text (half of a surrogate pair) become U+FFFD. Answers the bytes of the text itself. */
  string(value: string): number {
    // Never more than three bytes for a UTF-16 unit; the length comes first, and is known afterwards.
    const bytesMax = value.length * 3;
    this.#reserve(bytesMax + VARINT_BYTES_MAX);
    const room = varintBytes(bytesMax);
    const start = this.#end + room;
    const written = this.#bytes.write(value, start, 'utf8');
    const needed = varintBytes(written);
    if (needed < room) this.#bytes.copyWithin(this.#end + needed, start, start + written);
    this.#end = this.#varint(written) + written;
    return written;
  }

  strings(pairs: readonly (readonly [string, string])[]): void {
    this.#reserve(VARINT_BYTES_MAX);
    this.#end = this.#varint(pairs.length);
    for (const [key, value] of pairs) {
      this.string(key);
      this.string(value);
    }
  }

  list(values: readonly string[]): void {
    this.#reserve(VARINT_BYTES_MAX);
    this.#end = this.#varint(values.length);
    for (const value of values) this.string(value);
  }

  uint32List(values: readonly number[]): void {
    this.#reserve(VARINT_BYTES_MAX + values.length * 4);
    this.#end = this.#varint(values.length);
    for (const value of values) this.#end = this.#bytes.writeUInt32LE(value, this.#end);
  }

  boolean(value: boolean): void {
    this.#reserve(1);
    this.#end = this.#bytes.writeUInt8(value ? 1 : 0, this.#end);
  }

  /** ASCII of exactly this many bytes. Throws otherwise: the columns behind it would be read wrongly. */
  fixedString(value: string, bytes: number): void {
    if (value.length !== bytes) throw new Error(`"${value.slice(0, 100)}" does not have ${bytes} characters`);
    this.#reserve(bytes);
    this.#end += this.#bytes.write(value, this.#end, 'latin1');
  }

  /** A UInt128 by its 32 hexadecimal digits. */
  hex128(value: string): void {
    if (!/^[0-9a-f]{32}$/.test(value))
      throw new Error(`"${value.slice(0, 100)}" is not 32 hexadecimal digits`);
    this.#reserve(16);
    this.#bytes.write(value, this.#end, 16, 'hex');
    this.#bytes.subarray(this.#end, this.#end + 16).reverse();
    this.#end += 16;
  }

  /** UInt64 or Int64 of a safe integer. */
  int64(value: number): void {
    this.#reserve(8);
    const high = Math.floor(value / 2 ** 32);
    this.#bytes.writeUInt32LE(value - high * 2 ** 32, this.#end);
    this.#bytes.writeInt32LE(high, this.#end + 4);
    this.#end += 8;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#end = this.#bytes.writeUInt8(value, this.#end);
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#end = this.#bytes.writeUInt32LE(value, this.#end);
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#end = this.#bytes.writeUInt16LE(value, this.#end);
  }

  /** Values that were written before, as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#end;
  }

  /** What was written so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  #varint(value: number): number {
    let rest = value;
    let at = this.#end;
    while (rest >= 0x80) {
      this.#bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[at++] = rest;
    return at;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/** Bytes of a length prefix: 32 bits in groups of seven. */
const VARINT_BYTES_MAX = 5;
/** How long the length before a text of so many bytes is. */
export const varintBytes = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
