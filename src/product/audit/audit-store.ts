import { type Kysely, sql } from 'kysely';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';

export type AuditActor = {
  kind: 'user' | 'token' | 'organization_token' | 'system';
  /** Of the user, or of the token's owner; null for others. */
  userId: string | null;
  /** As it was then. */
  name: string;
  /** null unless a token was used. */
  tokenId: number | null;
};

/** What was changed. */
export type AuditTarget = {
  /** For example `member` or `project`. */
  kind: string;
  /** null when it has none. */
  id: string | null;
  /** As it was then. */
  name: string;
};

export type NewAuditEntry = {
  organizationId: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** For example `member.edit`. */
  action: string;
  actor: AuditActor;
  /** Where the request came from; null for jobs and the command line. */
  ipAddress: string | null;
  target: AuditTarget;
  /** What else is worth knowing; never a secret. */
  data: Readonly<Record<string, unknown>>;
};

export type AuditEntry = NewAuditEntry & { id: number };

/** Absent conditions narrow nothing. */
export type AuditQuery = {
  actorUserId?: string;
  action?: string;
  /** Milliseconds since the epoch; `fromMs` is included, `toMs` is not. */
  fromMs?: number;
  toMs?: number;
  /** Only entries before this one. */
  beforeId?: number;
};

/** Who changed what. Source: PostgreSQL. */
export function createAuditStore(db: Kysely<Database>) {
  return {
    record: (entry: NewAuditEntry): Promise<void> => insertEntry(db, entry),

    /** Newest first. */
    async list(
      organizationId: number,
      { actorUserId, action, fromMs, toMs, beforeId }: AuditQuery,
      limit: number,
    ): Promise<readonly AuditEntry[]> {
      const conditions = [
        sql`organization_id = ${organizationId}`,
        ...(actorUserId === undefined ? [] : [sql`actor_user_id = ${actorUserId}`]),
        ...(action === undefined ? [] : [sql`action = ${action}`]),
        ...(fromMs === undefined ? [] : [sql`at >= ${new Date(fromMs)}`]),
        ...(toMs === undefined ? [] : [sql`at < ${new Date(toMs)}`]),
        ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
      ];
      return await query<AuditEntry>`
        SELECT id, organization_id, at, action, ip_address, data,
          json_build_object('kind', actor_kind, 'userId', actor_user_id, 'name', actor_name, 'tokenId', token_id) AS actor,
          json_build_object('kind', target_kind, 'id', target_id, 'name', target_name) AS target
        FROM audit_entries WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY id DESC LIMIT ${limit}`.execute(db);
    },

    /** Who did something, by name; for choosing among. */
    async listActors(
      organizationId: number,
      limit: number,
    ): Promise<readonly { userId: string; name: string }[]> {
      const actors = await query<{ userId: string; name: string }>`
        SELECT DISTINCT ON (actor_user_id) actor_user_id AS user_id, actor_name AS name FROM audit_entries
        WHERE organization_id = ${organizationId} AND actor_user_id IS NOT NULL
        ORDER BY actor_user_id, id DESC LIMIT ${limit}`.execute(db);
      return actors.sort((a, b) => a.name.localeCompare(b.name));
    },

    /** Answers how many went. */
    deleteBefore: (atMs: number, limit: number): Promise<number> =>
      affectedRows`
        DELETE FROM audit_entries
        WHERE id IN (SELECT id FROM audit_entries WHERE at < ${new Date(atMs)} LIMIT ${limit})`.execute(db),
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;

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
