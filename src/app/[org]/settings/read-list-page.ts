import { isErrataError } from '#lib/errors.ts';

/** A page of a list. A cursor that cannot be read, as in an edited address, shows the first page instead. */
export async function readListPage<T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<T> {
  try {
    return await read(cursor);
  } catch (error) {
    if (!cursor || !isErrataError(error) || error.code !== 'invalid') throw error;
    return read(null);
  }
}
