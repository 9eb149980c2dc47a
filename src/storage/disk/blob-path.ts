import { join } from 'node:path';
import { invalid } from '#lib/errors.ts';
import type { BlobKey } from '#protocol/blob-key.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PROJECT = /^\d{1,15}$/;
/** No dot in front: those names are the store's own, for what is not finished. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/** Blobs of versions before they were compressed lie in `plainFile`; no key names a file with the suffix of the other. */
export type BlobPath = { folder: string; file: string; plainFile: string };
const PACKED_SUFFIX = '+z';

/** Where a blob lies below the store's folder. Throws ErrataError 'invalid' for a key that is none of ours. */
export function blobPath(root: string, key: BlobKey): BlobPath {
  const [day = '', project = '', name = '', ...rest] = key.split('/');
  if (rest.length > 0 || !DAY.test(day) || !PROJECT.test(project) || !NAME.test(name)) {
    throw invalid(`"${key.slice(0, 200)}" is not a blob key: it must be <day>/<project>/<name>`);
  }
  const folder = join(root, day, project);
  const plainFile = join(folder, name);
  return { folder, file: `${plainFile}${PACKED_SUFFIX}`, plainFile };
}

/** Throws ErrataError 'invalid' for anything but `YYYY-MM-DD`. */
export function dayFolder(root: string, day: string): string {
  if (!isDay(day)) throw invalid(`"${day.slice(0, 200)}" is not a day: it must be YYYY-MM-DD`);
  return join(root, day);
}

/** The last part of the key of the blob that lies in a file. */
export const nameOfFile = (file: string): string =>
  file.endsWith(PACKED_SUFFIX) ? file.slice(0, -PACKED_SUFFIX.length) : file;

/** Throws ErrataError 'invalid' for anything but a whole number. */
export function projectFolder(root: string, day: string, projectId: number): string {
  if (!PROJECT.test(String(projectId))) throw invalid(`${projectId} is not a valid project ID`);
  return join(dayFolder(root, day), String(projectId));
}

export const isProject = (name: string): boolean => PROJECT.test(name);
export const isDay = (name: string): boolean => DAY.test(name);
