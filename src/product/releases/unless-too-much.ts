import { isErrataError } from '#lib/errors.ts';

/**
 * What was asked, or something else when there was more of it than a search may read: one part of a page goes without, and
 * not all of it.
 */
export async function unlessTooMuch<Result, Otherwise>(
  asking: Promise<Result>,
  otherwise: Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await asking;
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid' && error.field === 'query') return otherwise;
    throw error;
  }
}
