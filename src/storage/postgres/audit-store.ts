import { type Kysely, sql } from 'kysely';
import type { AuditActor, AuditEntry, AuditStore, NewAuditEntry } from '#storage/ports/audit.ts';
import type { Database } from './schema.ts';
import { toStorableJson, toStorableText } from './storable-json.ts';

export function createAuditStore(db: Kysely<Database>): AuditStore {
  return {
    record: (entry) => insertEntry(db, entry),

    async list(organizationId, { actorUserId, action, fromMs, toMs, beforeId }, limit) {
      const conditions = [
        sql`organization_id = ${organizationId}`,
        ...(actorUserId === undefined ? [] : [sql`actor_user_id = ${actorUserId}`]),
        ...(action === undefined ? [] : [sql`action = ${action}`]),
        ...(fromMs === undefined ? [] : [sql`at >= ${new Date(fromMs)}`]),
        ...(toMs === undefined ? [] : [sql`at < ${new Date(toMs)}`]),
        ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
      ];
      const { rows } = await sql<EntryRow>`
        SELECT * FROM audit_entries WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY id DESC LIMIT ${limit}`.execute(db);
      return rows.map(toEntry);
    },

    async listActors(organizationId, limit) {
      const { rows } = await sql<{ actor_user_id: string; actor_name: string }>`
        SELECT DISTINCT ON (actor_user_id) actor_user_id, actor_name FROM audit_entries
        WHERE organization_id = ${organizationId} AND actor_user_id IS NOT NULL
        ORDER BY actor_user_id, id DESC LIMIT ${limit}`.execute(db);
      return rows
        .map((row) => ({ userId: row.actor_user_id, name: row.actor_name }))
        .sort((a, b) => a.name.localeCompare(b.name));
    },

    async deleteBefore(atMs, limit) {
      const { numAffectedRows } = await sql`
        DELETE FROM audit_entries
        WHERE id IN (SELECT id FROM audit_entries WHERE at < ${new Date(atMs)} LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

async function insertEntry(db: Kysely<Database>, entry: NewAuditEntry): Promise<void> {
  const { actor, target } = entry;
  await sql`
    INSERT INTO audit_entries (organization_id, at, action, actor_kind, actor_user_id, actor_name, token_id,
      ip_address, target_kind, target_id, target_name, data)
    VALUES (${entry.organizationId}, ${new Date(entry.at)}, ${entry.action}, ${actor.kind}, ${actor.userId},
      ${toStorableText(actor.name)}, ${actor.tokenId}, ${entry.ipAddress}, ${target.kind}, ${target.id},
      ${toStorableText(target.name)},
      ${toStorableJson(entry.data)}::jsonb)`.execute(db);
}

type EntryRow = {
  id: number;
  organization_id: number;
  at: Date;
  action: string;
  actor_kind: AuditActor['kind'];
  actor_user_id: string | null;
  actor_name: string;
  token_id: number | null;
  ip_address: string | null;
  target_kind: string;
  target_id: string | null;
  target_name: string;
  data: Record<string, unknown>;
};

const toEntry = (row: EntryRow): AuditEntry => ({
  id: row.id,
  organizationId: row.organization_id,
  at: row.at.getTime(),
  action: row.action,
  actor: {
    kind: row.actor_kind,
    userId: row.actor_user_id,
    name: row.actor_name,
    tokenId: row.token_id,
  },
  ipAddress: row.ip_address,
  target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
  data: row.data,
});
