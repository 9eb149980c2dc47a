import { connectAlone } from './database.ts';

/** Any number, as long as nothing else in the database takes an advisory lock with it. */
const UPGRADE_LOCK_ID = 7_270_103;

/** Lets one machine at a time upgrade the data; others wait until it is done. The lock ends with its connection. */
export async function holdUpgrade<Result>(
  database: { url: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await connectAlone(database.url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [UPGRADE_LOCK_ID]);
    return await work();
  } finally {
    await client.end();
  }
}
