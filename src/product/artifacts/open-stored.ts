import { Readable } from 'node:stream';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import type { Checksum } from '#storage/ports/artifacts.ts';
import { piecesOf } from './pieces-of.ts';

/** The bytes of an upload that the caller may read, as a stream. Throws NotFound when they are gone. */
export async function openStored(
  { stores, organization }: Pick<Context, 'stores' | 'organization'>,
  checksum: Checksum,
): Promise<{ content: Readable; bytes: number }> {
  const reader = await stores.artifactFiles.open(organization.id, checksum);
  if (!reader) throw notFound('The content is not stored any more: upload it again');
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
