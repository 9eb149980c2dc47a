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

/** Where digest hears that uploads came or went; a message is `{"organizationId":1}`. */
export const ARTIFACTS_CHANNEL = 'errata_artifacts';

/** Tells every process, once the transaction is committed. */
export async function notifyArtifacts(db: Kysely<Database>, organizationId: number): Promise<void> {
  await sql`SELECT pg_notify(${ARTIFACTS_CHANNEL}, ${JSON.stringify({ organizationId })})`.execute(db);
}

/** A message is `{"organizationId":1,"projectIds":[2]}`. */
export const CHANGES_CHANNEL = 'errata_changes';

/** Project IDs in one notification: PostgreSQL takes 8,000 bytes, and an ID has up to 16 digits and a comma. */
const PROJECTS_PER_MESSAGE_MAX = 400;

export type Change = { organizationId: number; projectIds: number[] };

/** Tells the feed of every process, once the transaction is committed. */
export async function notifyChanges(
  transaction: Kysely<Database>,
  changed: Iterable<{ organizationId: number; projectId: number }>,
): Promise<void> {
  const organizations = new Map<number, Set<number>>();
  for (const { organizationId, projectId } of changed) {
    const projects = organizations.get(organizationId) ?? new Set();
    organizations.set(organizationId, projects.add(projectId));
  }
  const messages: string[] = [];
  for (const [organizationId, projects] of organizations) {
    const projectIds = [...projects];
    for (let start = 0; start < projectIds.length; start += PROJECTS_PER_MESSAGE_MAX) {
      const change: Change = {
        organizationId,
        projectIds: projectIds.slice(start, start + PROJECTS_PER_MESSAGE_MAX),
      };
      messages.push(JSON.stringify(change));
    }
  }
  if (messages.length === 0) return;
  await sql`SELECT pg_notify(${CHANGES_CHANNEL}, message) FROM unnest(${messages}::text[]) AS message`.execute(
    transaction,
  );
}

/** Where the sender hears that a message may be due. */
export const DELIVERIES_CHANNEL = 'errata_deliveries';

/** Tells the sender, once the transaction is committed. */
export async function notifySender(transaction: Kysely<Database>): Promise<void> {
  await sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(transaction);
}

/** Where who watches monitors hears of check-ins. */
export const CHECK_INS_CHANNEL = 'errata_check_ins';

/** Tells them, once the transaction is committed. */
export async function notifyCheckIns(transaction: Kysely<Database>): Promise<void> {
  await sql`SELECT pg_notify(${CHECK_INS_CHANNEL}, '')`.execute(transaction);
}
