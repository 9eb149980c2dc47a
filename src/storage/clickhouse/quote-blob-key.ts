import type { BlobKey } from '#protocol/blob-key.ts';

const BLOB_KEY = /^[A-Za-z0-9/_.-]+$/;

/** The key in quotes, for statements that delete: they take no parameters. */
export function quoteBlobKey(key: BlobKey): string {
  if (!BLOB_KEY.test(key)) throw new Error(`"${key}" is no key of a blob`);
  return `'${key}'`;
}
