/**
 * Names a blob: `<day>/<project>/<name>`, for example `2026-01-31/12/9f…`. The day is the UTC day of arrival, so that
 * retention drops whole days. Letters, digits, `-`, `_` and `.` only.
 */
export type BlobKey = string;

/** Key of a blob that arrived at `receivedAtMs`. `name` must be unique: random, or made from the record's place. */
export const blobKey = (receivedAtMs: number, projectId: number, name: string): BlobKey =>
  `${new Date(receivedAtMs).toISOString().slice(0, 10)}/${projectId}/${name}`;
