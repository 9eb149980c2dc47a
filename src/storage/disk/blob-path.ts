import { join } from 'node:path';
import { type BlobKey, parseBlobKey, requireBlobDay, requireBlobProject } from '#protocol/blob-key.ts';

/** Blobs of versions before they were compressed lie in `plainFile`; no key names a file with the suffix of the other. */
export type BlobPath = { folder: string; file: string; plainFile: string };
const PACKED_SUFFIX = '+z';

/** Where a blob lies below the store's folder. Throws ErrataError 'invalid' for a key that is none of ours. */
export function blobPath(root: string, key: BlobKey): BlobPath {
  const { day, project, name } = parseBlobKey(key);
  const folder = join(root, day, project);
  const plainFile = join(folder, name);
  return { folder, file: `${plainFile}${PACKED_SUFFIX}`, plainFile };
}

/** Throws ErrataError 'invalid' for anything but `YYYY-MM-DD`. */
export function dayFolder(root: string, day: string): string {
  requireBlobDay(day);
  return join(root, day);
}

/** The last part of the key of the blob that lies in a file. */
export const nameOfFile = (file: string): string =>
  file.endsWith(PACKED_SUFFIX) ? file.slice(0, -PACKED_SUFFIX.length) : file;

/** Throws ErrataError 'invalid' for anything but a whole number. */
export function projectFolder(root: string, day: string, projectId: number): string {
  requireBlobProject(String(projectId));
  return join(dayFolder(root, day), String(projectId));
}
