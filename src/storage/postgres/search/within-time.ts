import { type Kysely, sql, type Transaction } from 'kysely';
import { invalid, isErrataError } from '#lib/errors.ts';
import type { Database } from '../schema.ts';

/** A search that takes longer is given up: it is too broad, and others wait for the machine. */
export const SEARCH_TIME_MAX_MS = 10_000;
const QUERY_CANCELED = '57014';

/** Runs what is read within the time that a search may take. Throws Invalid when it takes longer. */
export async function withinTime<Result>(
  db: Kysely<Database>,
  read: (transaction: Transaction<Database>) => Promise<Result>,
  timeMaxMs = SEARCH_TIME_MAX_MS,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`SET LOCAL statement_timeout = ${sql.lit(timeMaxMs)}`.execute(transaction);
      return await read(transaction);
    });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw invalid(
      `The search takes longer than ${timeMaxMs / 1000} seconds: choose fewer projects, or a narrower search`,
      'query',
    );
  }
}

function isCanceled(error: unknown): boolean {
  const cause = isErrataError(error) ? error.cause : error;
  return (cause as { code?: unknown } | undefined)?.code === QUERY_CANCELED;
}
