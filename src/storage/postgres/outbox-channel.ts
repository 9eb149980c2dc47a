import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** The channel that announces outbox entries for alert rules. */
export const OUTBOX_CHANNEL = 'errata_news';

/** Stands for a rule's id in an entry about an event that all rules of its project may look at. */
export const EVERY_RULE = 0;

/** Tells them, once the transaction is committed. */
export async function notifyOutbox(db: Kysely<Database>): Promise<void> {
  await sql`SELECT pg_notify(${OUTBOX_CHANNEL}, '')`.execute(db);
}
