import { invalid } from '#lib/errors.ts';
import { findZipFile } from '#lib/zip-archive.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import type { ArtifactFile } from '#storage/ports/artifacts.ts';
import { ARCHIVE_LIMITS } from './archive-limits.ts';

/**
 * The bytes of an uploaded file, unpacked from its archive where it came in one. null when the bytes are gone. Throws
 * ErrataError 'invalid' when it is larger than `bytesMax` or its archive is broken, 'unavailable' when the disk fails.
 */
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
      throw invalid(`"${file.url.slice(0, 200)}" has ${reader.bytes} bytes, more than ${bytesMax}`);
    }
    return await reader.read(0, reader.bytes);
  } finally {
    await reader.close();
  }
}
