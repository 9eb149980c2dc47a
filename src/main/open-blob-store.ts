import { join } from 'node:path';
import type { Config } from '#config.ts';
import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openDiskExportFiles } from '#storage/disk/export-files.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { ExportFiles } from '#storage/ports/export-files.ts';

export type BlobSettings = Pick<Config, 'dataDir' | 'blobs' | 's3Credentials'>;

/** What lies in files or in a bucket: bodies, uploads, and archives for people. */
export type FileStores = { blobs: BlobStore; artifactFiles: ArtifactFileStore; exportFiles: ExportFiles };

/** Where files of blobs are on this machine; with a bucket, those from before it. */
export const blobFolder = ({ dataDir, blobs }: Pick<BlobSettings, 'dataDir' | 'blobs'>): string =>
  blobs?.kind === 'folder' ? blobs.folder : join(dataDir, 'blobs');

/** Where files of uploads are on this machine; with a bucket, those from before it. */
export const artifactFolder = ({ dataDir }: Pick<BlobSettings, 'dataDir'>): string =>
  join(dataDir, 'artifacts');

/** Where the settings say: files of this machine, or a bucket, whose library is loaded only then. */
export async function openFileStores({ dataDir, blobs, s3Credentials }: BlobSettings): Promise<FileStores> {
  if (blobs?.kind !== 'bucket') {
    return {
      blobs: openDiskBlobStore(blobFolder({ dataDir, blobs })),
      artifactFiles: openDiskArtifactFileStore(artifactFolder({ dataDir })),
      exportFiles: openDiskExportFiles(join(dataDir, 'exports')),
    };
  }
  const { openS3FileStores } = await import('#storage/s3/open-s3-file-stores.ts');
  return openS3FileStores({
    address: blobs,
    credentials: s3Credentials,
    stagingFolder: join(dataDir, 'blobs-staging'),
  });
}
