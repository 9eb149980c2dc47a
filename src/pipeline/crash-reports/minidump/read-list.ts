import type { DumpReader } from './dump-reader.ts';
import type { Location } from './read-directory.ts';

/**
 * Where the entries of a list stream begin, and how many there are, never more than fit into the stream or `countMax`.
 * Some writers put four bytes between the count and the entries. Throws DumpError.
 */
export async function readList(
  reader: DumpReader,
  stream: Location,
  entryBytes: number,
  countMax: number,
): Promise<{ offset: number; count: number }> {
  const said = (await reader.view(stream.offset, 4)).getUint32(0, true);
  const room = Math.max(0, Math.min(stream.size, reader.size - stream.offset) - 4);
  const padding = room === said * entryBytes + 4 ? 4 : 0;
  const fits = Math.floor((room - padding) / entryBytes);
  return { offset: stream.offset + 4 + padding, count: Math.max(0, Math.min(said, fits, countMax)) };
}
