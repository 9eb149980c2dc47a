import { join } from 'node:path';
import type { Config } from '#config.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';

export type BlobSettings = Pick<Config, 'dataDir' | 'blobs' | 's3Credentials'>;

/** Where files of blobs are on this machine; with a bucket, those from before it. */
export const blobFolder = ({ dataDir, blobs }: Pick<BlobSettings, 'dataDir' | 'blobs'>): string =>
  blobs?.kind === 'folder' ? blobs.folder : join(dataDir, 'blobs');

/** Where the settings say: files below the data directory, or a bucket, whose library is loaded only then. */
export async function openBlobStore({ dataDir, blobs, s3Credentials }: BlobSettings): Promise<BlobStore> {
  if (blobs?.kind !== 'bucket') return openDiskBlobStore(blobFolder({ dataDir, blobs }));
  const { openS3BlobStore } = await import('#storage/s3/s3-blob-store.ts');
  return openS3BlobStore({
    address: blobs,
    credentials: s3Credentials,
    stagingFolder: join(dataDir, 'blobs-staging'),
  });
}
