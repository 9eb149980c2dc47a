import type { Stores } from '#product/stores.ts';
import type { HiddenRows } from '#storage/ports/person-data.ts';

/** So much is rewritten in a few minutes beside other work; more waits for the night. */
export const PURGED_AT_ONCE_BYTES_MAX = 4 * 1024 ** 3;
/** Hours of the day, UTC, in which any amount is rewritten. */
const NIGHT_HOURS = [0, 1, 2, 3, 4] as const;

/** Whether what is deleted goes from disk now, or waits for the night, when all of it goes together. */
export function isPurgeDue(hidden: readonly HiddenRows[], relationBytes: number, nowMs: number): boolean {
  const bytes = hidden.reduce((sum, part) => sum + part.bytes, relationBytes);
  const hour = new Date(nowMs).getUTCHours();
  return bytes <= PURGED_AT_ONCE_BYTES_MAX || NIGHT_HOURS.some((night) => night === hour);
}

/**
 * Removes rows of deleted issues and projects from disk, which a deletion only hides. Answers how many partitions were
 * rewritten. May be interrupted; what is left is found again.
 */
export async function purgeDeletedRows(
  { deletedRows }: Pick<Stores, 'deletedRows'>,
  nowMs: number,
): Promise<number> {
  const hidden = await deletedRows.listHidden();
  if (!isPurgeDue(hidden, 0, nowMs)) return 0;
  for (const part of hidden) await deletedRows.purge(part);
  return hidden.length;
}
