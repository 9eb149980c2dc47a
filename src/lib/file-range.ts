import type { FileHandle } from 'node:fs/promises';

/** Reads half-open ranges of a file whose length is known. `tooShort`: what to throw when the file ends before. */
export async function readFileRange(
  handle: FileHandle,
  { from, to, bytes }: { from: number; to: number; bytes: number },
  tooShort: () => Error,
): Promise<Buffer> {
  requireRange(from, to, bytes);
  const buffer = Buffer.allocUnsafe(to - from);
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) throw tooShort();
    filled += bytesRead;
  }
  return buffer;
}

/** Throws Error for what is no range of so many bytes. */
export function requireRange(from: number, to: number, bytes: number): void {
  if (!(from >= 0 && from <= to && to <= bytes))
    throw new Error(`${from} to ${to} is not a valid range of a file of ${bytes} bytes`);
}
