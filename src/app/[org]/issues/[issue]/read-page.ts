import { isErrataError } from '#lib/errors.ts';
import { type Part, settle } from '#lib/settle.ts';

/** A page of a list. A cursor that cannot be read, as in an edited address, shows the first page instead. */
export async function readPage<T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<Part<T>> {
  try {
    return await settle(read(cursor));
  } catch (error) {
    if (!cursor || !isErrataError(error) || error.code !== 'invalid') throw error;
    return settle(read(null));
  }
}
