import { join } from 'node:path';
import { invalid } from '#lib/errors.ts';
import type { BlobKey } from '#protocol/blob-key.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PROJECT = /^\d{1,15}$/;
/** No dot in front: those names are the store's own, for what is not finished. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

export type BlobPath = { folder: string; file: string };

/** Where a blob lies below the store's folder. Throws ErrataError 'invalid' for a key that is none of ours. */
export function blobPath(root: string, key: BlobKey): BlobPath {
  const [day = '', project = '', name = '', ...rest] = key.split('/');
  if (rest.length > 0 || !DAY.test(day) || !PROJECT.test(project) || !NAME.test(name)) {
    throw invalid(`"${key.slice(0, 200)}" is no blob key: it must be <day>/<project>/<name>`);
  }
  const folder = join(root, day, project);
  return { folder, file: join(folder, name) };
}

/** Throws ErrataError 'invalid' for anything but `YYYY-MM-DD`. */
export function dayFolder(root: string, day: string): string {
  if (!isDay(day)) throw invalid(`"${day.slice(0, 200)}" is no day: it must be YYYY-MM-DD`);
  return join(root, day);
}

export const isDay = (name: string): boolean => DAY.test(name);
