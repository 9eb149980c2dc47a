import { sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** Above the 32 bits of a project's number, so that these locks meet no others. */
const LOCK_CLASS = 7_270_001;

/**
 * Taken by who counts events by the hash index: until the end of the transaction the hash index of these projects stays as
 * it is. Any number may share it. Locks are taken in one order by everybody: maps by project, then projects, then issues.
 */
export async function shareHashIndexes(
  transaction: Transaction<Database>,
  projectIds: readonly number[],
): Promise<void> {
  const sorted = [...new Set(projectIds)].sort((a, b) => a - b);
  if (sorted.length === 0) return;
  await sql`
    SELECT pg_advisory_xact_lock_shared((${LOCK_CLASS}::bigint << 32) | project_id)
    FROM unnest(${sorted}::bigint[]) AS wanted (project_id)`.execute(transaction);
}

/** Taken by who changes the hash index of a project: waits until nobody counts by it, and keeps them waiting meanwhile. */
export async function lockHashIndex(transaction: Transaction<Database>, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock((${LOCK_CLASS}::bigint << 32) | ${projectId}::bigint)`.execute(
    transaction,
  );
}
