import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';

const PIECE_BYTES = 1024 * 1024;

/** The bytes of an upload, in pieces; whoever opened it closes it. */
export async function* piecesOf(reader: ArtifactFileReader): AsyncGenerator<Buffer> {
  for (let from = 0; from < reader.bytes; from += PIECE_BYTES) {
    yield await reader.read(from, Math.min(from + PIECE_BYTES, reader.bytes));
  }
}
