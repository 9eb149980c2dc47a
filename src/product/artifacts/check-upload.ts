import { invalid } from '#lib/errors.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import { CHUNKS_OF_UPLOAD_MAX } from './upload-limits.ts';

const DIST_CHARACTERS_MAX = 64;
/** In UTF-8; an index of PostgreSQL takes not much more. */
const FILE_NAME_BYTES_MAX = 2_000;
const HEADERS_MAX = 50;
const HEADER_CHARACTERS_MAX = 4_096;
const CHECKSUM = /^[0-9a-f]{40}$/;
const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;
const CONTROL = /\p{Cc}/u;

/** Whether the stores take a text as it is: without control characters and halves of characters. */
export const isPlainText = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

/** In lower case. Throws Invalid. */
export function checkChecksum(text: string): Checksum {
  const checksum = text.toLowerCase();
  if (!CHECKSUM.test(checksum)) {
    throw invalid(
      `"${text.slice(0, 80)}" is not a valid checksum: send the SHA-1 as 40 hex digits`,
      'checksum',
    );
  }
  return checksum;
}

/** In lower case, in the order of the file. Throws Invalid. */
export function checkChunks(chunks: readonly string[]): readonly Checksum[] {
  if (chunks.length > CHUNKS_OF_UPLOAD_MAX) {
    throw invalid(
      `An upload can have at most ${CHUNKS_OF_UPLOAD_MAX} chunks: check the chunk size first`,
      'chunks',
    );
  }
  return chunks.map(checkChecksum);
}

/** null for none, which an empty one is too. Throws Invalid. */
export function checkDist(dist: string | null): string | null {
  const name = dist?.trim() ?? '';
  if (name === '') return null;
  if (name.length > DIST_CHARACTERS_MAX || CONTROL.test(name)) {
    throw invalid(`A dist can have at most ${DIST_CHARACTERS_MAX} characters and no line breaks`, 'dist');
  }
  return name;
}

/** The name of an uploaded file, as events name the script. Throws Invalid. */
export function checkFileName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalid('A file needs a name: use the script’s file name in events', 'name');
  if (Buffer.byteLength(name) > FILE_NAME_BYTES_MAX) {
    throw invalid(`The name "${name.slice(0, 200)}…" is longer than ${FILE_NAME_BYTES_MAX} bytes`, 'name');
  }
  if (!isPlainText(name)) {
    throw invalid('A file name cannot contain line breaks or invisible characters', 'name');
  }
  return name;
}

/** Lower case, with dashes; null for what is none. */
export function toDebugId(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const parts = UUID.exec(text.trim().toLowerCase());
  return parts ? parts.slice(1).join('-') : null;
}

/** Names in lower case; what is no plain text, or too much, is left out. */
export function toHeaders(input: unknown): Record<string, string> {
  if (typeof input !== 'object' || input === null) return {};
  const headers = Object.entries(input)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .filter(([name, value]) => name.length + value.length <= HEADER_CHARACTERS_MAX)
    .filter(([name, value]) => isPlainText(name) && isPlainText(value.trim()))
    .slice(0, HEADERS_MAX);
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value.trim()]));
}
