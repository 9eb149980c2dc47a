import type { BucketAddress } from '#lib/blob-address.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { ExportFiles } from '#storage/ports/export-files.ts';
import { type BucketCredentials, openBucket } from './bucket.ts';
import { openS3ArtifactFileStore } from './s3-artifact-file-store.ts';
import { openS3BlobStore } from './s3-blob-store.ts';
import { openS3ExportFiles } from './s3-export-files.ts';

type S3Options = {
  address: BucketAddress;
  credentials: BucketCredentials | null;
  /** Where bodies wait until they are sent. */
  stagingFolder: string;
};

/** All that one bucket holds, over the same connections. */
export function openS3FileStores({ address, credentials, stagingFolder }: S3Options): {
  blobs: BlobStore;
  artifactFiles: ArtifactFileStore;
  exportFiles: ExportFiles;
} {
  const bucket = openBucket(address, credentials);
  return {
    blobs: openS3BlobStore(bucket, stagingFolder),
    artifactFiles: openS3ArtifactFileStore(bucket, stagingFolder),
    exportFiles: openS3ExportFiles(bucket, stagingFolder),
  };
}
