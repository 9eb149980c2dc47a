/** Bytes that are read where they are needed: a dump of 200 MiB is never held. */
export type ByteSource = {
  readonly size: number;
  /** The bytes from `offset` on, fewer than `length` only at the end. Throws what the store throws. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

export const bytesAsSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

/** A part of a source, as a source of its own. */
export const partOfSource = (source: ByteSource, start: number, size: number): ByteSource => ({
  size,
  read: (offset, length) => source.read(start + offset, Math.max(0, Math.min(length, size - offset))),
});
