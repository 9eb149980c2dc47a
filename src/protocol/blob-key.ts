import { invalid } from '#lib/errors.ts';

/**
 * Names a blob: `<day>/<project>/<name>`, for example `2026-01-31/12/9f…`. The day is the UTC day of arrival, so that
 * retention drops whole days. Letters, digits, `-`, `_` and `.` only.
 */
export type BlobKey = string;

/** Key of a blob that arrived at `receivedAtMs`. `name` must be unique: random, or made from the record's place. */
export const blobKey = (receivedAtMs: number, projectId: number, name: string): BlobKey =>
  `${new Date(receivedAtMs).toISOString().slice(0, 10)}/${projectId}/${name}`;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PROJECT = /^\d{1,15}$/;
/** No dot in front: those names are a store's own, for what is not finished. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/** Throws ErrataError 'invalid' for a key that is none of ours. */
export function parseBlobKey(key: BlobKey): { day: string; project: string; name: string } {
  const [day = '', project = '', name = '', ...rest] = key.split('/');
  if (rest.length > 0 || !DAY.test(day) || !PROJECT.test(project) || !NAME.test(name)) {
    throw invalid(`"${key.slice(0, 200)}" is not a blob key: it must be <day>/<project>/<name>`);
  }
  return { day, project, name };
}

export const isBlobDay = (name: string): boolean => DAY.test(name);
export const isBlobProject = (name: string): boolean => PROJECT.test(name);
export const isBlobName = (name: string): boolean => NAME.test(name);

/** Throws ErrataError 'invalid' for anything but `YYYY-MM-DD`. */
export function requireBlobDay(day: string): void {
  if (!isBlobDay(day)) throw invalid(`"${day.slice(0, 200)}" is not a day: it must be YYYY-MM-DD`);
}

/** Throws ErrataError 'invalid' for anything but a whole number. */
export function requireBlobProject(project: string): void {
  if (!isBlobProject(project)) throw invalid(`${project} is not a valid project ID`);
}
