import { notFound } from 'next/navigation';
import { isErrataError } from '#lib/errors.ts';

/** What was read; the not-found page when it does not exist or the user may not see it. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}
