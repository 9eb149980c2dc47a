/** Texts in one stretch of memory outside of the heap, which can be handed from thread to thread without a copy. */
export type TextTable = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of each text, in bytes. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** NO_TEXT where there is none. */
  readonly lengths: Uint32Array<ArrayBuffer>;
};

const NO_TEXT = 0xffff_ffff;
const decoder = new TextDecoder();

export function packTexts(texts: readonly (string | null)[]): TextTable {
  const starts = new Uint32Array(texts.length);
  const lengths = new Uint32Array(texts.length);
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const length = text === null ? 0 : Buffer.byteLength(text);
    starts[index] = total;
    lengths[index] = text === null ? NO_TEXT : length;
    total += length;
  }
  const bytes = new Uint8Array(total);
  const target = Buffer.from(bytes.buffer);
  for (const [index, text] of texts.entries()) if (text !== null) target.write(text, starts[index] ?? 0);
  return { bytes, starts, lengths };
}

/** The UTF-8 of a text; null where there is none. */
export function bytesAt({ bytes, starts, lengths }: TextTable, index: number): Uint8Array | null {
  const start = starts[index];
  const length = lengths[index];
  if (start === undefined || length === undefined || length === NO_TEXT) return null;
  return bytes.subarray(start, start + length);
}

export function textAt(table: TextTable, index: number): string | null {
  const bytes = bytesAt(table, index);
  return bytes && decoder.decode(bytes);
}
