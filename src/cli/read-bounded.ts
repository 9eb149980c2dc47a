import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

/** Reads a file, or standard input for `-`. Throws an Error that names it when it cannot be read, or is too large. */
export async function readBounded(file: string, bytesMax: number): Promise<Buffer> {
  const stream: Readable = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      const part = chunk as Buffer;
      bytes += part.length;
      if (bytes > bytesMax) break;
      chunks.push(part);
    }
  } catch (error) {
    throw new Error(`${inputName(file)} cannot be read: ${REASONS[codeOf(error)] ?? String(error)}`);
  }
  if (bytes > bytesMax) throw new Error(`${inputName(file)} is larger than ${bytesMax} bytes`);
  return Buffer.concat(chunks);
}

export const inputName = (file: string): string => (file === '-' ? 'Standard input' : file);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};
