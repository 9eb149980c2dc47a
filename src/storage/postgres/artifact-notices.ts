import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Where digest hears that uploads came or went; a message is `{"organizationId":1}`. */
export const ARTIFACTS_CHANNEL = 'errata_artifacts';

/** Tells every process, once the transaction is committed. */
export async function notifyArtifacts(db: Kysely<Database>, organizationId: number): Promise<void> {
  await sql`SELECT pg_notify(${ARTIFACTS_CHANNEL}, ${JSON.stringify({ organizationId })})`.execute(db);
}
