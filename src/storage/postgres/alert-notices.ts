import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Where the jobs hear that there is news for rules. */
export const NEWS_CHANNEL = 'errata_news';

/** Of news about an event that all rules of its project may look at: one of an issue waits, as for a rule. */
export const EVERY_RULE = 0;

/** Tells them, once the transaction is committed. */
export async function notifyNews(db: Kysely<Database>): Promise<void> {
  await sql`SELECT pg_notify(${NEWS_CHANNEL}, '')`.execute(db);
}
