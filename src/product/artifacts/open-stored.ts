import { Readable } from 'node:stream';
import { invalid, notFound } from '#lib/errors.ts';
import { findZipFile } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import type { ArtifactFileReader, ArtifactFileStore, Checksum } from '#storage/ports/artifact-files.ts';
import type { ArtifactFile } from './artifact.ts';
import { ARCHIVE_LIMITS } from './upload-limits.ts';

/** The bytes of an upload that the caller may read, as a stream. Throws NotFound when they are gone. */
export async function openStored(
  { stores, organization }: Pick<Context, 'stores' | 'organization'>,
  checksum: Checksum,
): Promise<{ content: Readable; bytes: number }> {
  const reader = await stores.artifactFiles.open(organization.id, checksum);
  if (!reader) throw notFound('The content is no longer stored: upload it again');
  return { content: streamOf(reader, piecesOf(reader)), bytes: reader.bytes };
}

/** Closes what is read from with the stream, also with one that nobody began to read. */
export function streamOf(
  reader: Pick<ArtifactFileReader, 'close'>,
  pieces: AsyncIterable<Uint8Array>,
): Readable {
  const content = Readable.from(pieces, { objectMode: false });
  content.once('close', () => void reader.close().catch(() => {}));
  return content;
}

/** The bytes of a file, unpacked. null when gone. Throws 'invalid' when too large or broken, 'unavailable'. */
export async function readArtifact(
  files: Pick<ArtifactFileStore, 'open'>,
  organizationId: number,
  file: Pick<ArtifactFile, 'checksum' | 'path' | 'url'>,
  bytesMax: number,
): Promise<Buffer | null> {
  const reader = await files.open(organizationId, file.checksum);
  if (!reader) return null;
  try {
    if (file.path !== null) {
      const packed = await findZipFile(reader, ARCHIVE_LIMITS, file.path);
      return packed && (await packed.read(bytesMax));
    }
    if (reader.bytes > bytesMax) {
      throw invalid(`"${file.url.slice(0, 200)}" has ${reader.bytes} bytes: the limit is ${bytesMax}`);
    }
    return await reader.read(0, reader.bytes);
  } finally {
    await reader.close();
  }
}

const PIECE_BYTES = 1024 * 1024;

/** The bytes of an upload, in pieces; whoever opened it closes it. */
export async function* piecesOf(reader: ArtifactFileReader): AsyncGenerator<Buffer> {
  for (let from = 0; from < reader.bytes; from += PIECE_BYTES) {
    yield await reader.read(from, Math.min(from + PIECE_BYTES, reader.bytes));
  }
}
