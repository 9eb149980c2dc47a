import { type Kysely, sql } from 'kysely';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';

/** An import of an organization from one source, over all of its runs. */
export type Transfer = {
  id: number;
  /** What the reader said of how far it is, as `keepCursor` writes it; null when the last run ended, or none has said anything. */
  cursor: string | null;
};

/** What became of a record; the target is null when nothing was made of it. */
export type TransferTarget = { sourceId: string; target: string | null };

/** How far imports are, and what no other store writes. Source: PostgreSQL. */
export function createTransferStore(db: Kysely<Database>) {
  return {
    /** The one of an earlier run, or a new one. */
    async open(
      organizationId: number,
      source: { key: string; name: string },
      atMs: number,
    ): Promise<Transfer> {
      const row = await query<Transfer>`
        INSERT INTO transfers (organization_id, source_key, source_name, started_at)
        VALUES (${organizationId}, ${source.key}, ${toStorableText(source.name)}, ${new Date(atMs)})
        ON CONFLICT (organization_id, source_key) DO UPDATE SET source_name = excluded.source_name
        RETURNING id, cursor`.first(db);
      return row!;
    },

    /** null when the organization was never imported from there. */
    find: (organizationId: number, sourceKey: string): Promise<Transfer | null> =>
      query<Transfer>`
        SELECT id, cursor FROM transfers
        WHERE organization_id = ${organizationId} AND source_key = ${sourceKey}`.first(db),

    saveCursor: async (transferId: number, cursor: string): Promise<void> => {
      await sql`UPDATE transfers SET cursor = ${toStorableText(cursor)} WHERE id = ${transferId}`.execute(db);
    },

    /** The next run begins anew, and finds what has changed. What records said of people is kept no longer than that. */
    finish: async (transferId: number, atMs: number): Promise<void> => {
      await sql`UPDATE transfer_issues SET record = NULL WHERE transfer_id = ${transferId}`.execute(db);
      await sql`
        UPDATE transfers SET cursor = NULL, finished_at = ${new Date(atMs)} WHERE id = ${transferId}`.execute(
        db,
      );
    },

    /** Of the given records those that are in already. */
    async listTargets(
      transferId: number,
      kind: string,
      sourceIds: readonly string[],
    ): Promise<ReadonlyMap<string, string | null>> {
      const rows = await query<TransferTarget>`
        SELECT source_id, target FROM transfer_items
        WHERE transfer_id = ${transferId} AND kind = ${kind} AND source_id = ANY(${sourceIds}::text[])`.execute(
        db,
      );
      return new Map(rows.map(({ sourceId, target }) => [sourceId, target]));
    },

    /** A target that was noted stays. */
    async noteTargets(transferId: number, kind: string, targets: readonly TransferTarget[]): Promise<void> {
      if (targets.length === 0) return;
      await sql`
        INSERT INTO transfer_items (transfer_id, kind, source_id, target)
        SELECT ${transferId}, ${kind}, source_id, target
        FROM unnest(${targets.map(({ sourceId }) => sourceId)}::text[],
          ${targets.map(({ target }) => target)}::text[]) AS item (source_id, target)
        ON CONFLICT (transfer_id, kind, source_id) DO UPDATE SET target = excluded.target
          WHERE transfer_items.target IS NULL AND excluded.target IS NOT NULL`.execute(db);
    },

    /** `taken`: another project has the key. */
    async importKey(
      organizationId: number,
      projectId: number,
      key: { publicKey: string; label: string; isActive: boolean; formerProjectId: number },
    ): Promise<'made' | 'there' | 'taken'> {
      const former = key.formerProjectId === projectId ? null : key.formerProjectId;
      try {
        const made = await affectedRows`
          INSERT INTO client_keys (project_id, public_key, label, is_active, former_project_id)
          SELECT id, ${key.publicKey}, ${toStorableText(key.label)}, ${key.isActive}, ${former}::bigint FROM projects
          WHERE id = ${projectId} AND organization_id = ${organizationId}`.execute(db);
        return made === 1 ? 'made' : 'taken';
      } catch (error) {
        if (!isUniqueViolation(error, 'client_keys_public_key_uidx')) throw error;
        const own = await affectedRows`
          UPDATE client_keys SET former_project_id = coalesce(former_project_id, ${former}::bigint)
          WHERE public_key = ${key.publicKey} AND project_id = ${projectId}`.execute(db);
        return own === 1 ? 'there' : 'taken';
      }
    },

    /** Whose a rule or dashboard is that was made on somebody's behalf. */
    setCreator: async (
      organizationId: number,
      table: 'alert_rules' | 'dashboards',
      id: number,
      userId: string,
    ): Promise<void> => {
      await sql`
        UPDATE ${sql.table(table)} SET created_by = ${userId}
        WHERE id = ${id} AND organization_id = ${organizationId}`.execute(db);
    },

    noteEnvironment: async (
      organizationId: number,
      projectId: number,
      { name, firstSeen }: { name: string; firstSeen: number },
    ): Promise<void> => {
      await sql`
        INSERT INTO environments (organization_id, project_id, name, first_seen)
        VALUES (${organizationId}, ${projectId}, ${toStorableText(name)}, ${new Date(firstSeen)})
        ON CONFLICT DO NOTHING`.execute(db);
    },

    /** When it was seen first, unless it was seen earlier here; null says nothing. */
    dateRelease: async (
      organizationId: number,
      version: string,
      times: { firstSeen: number | null; createdAt: number | null },
    ): Promise<void> => {
      const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));
      await sql`
        UPDATE releases SET first_seen = least(first_seen, ${dateOf(times.firstSeen)}::timestamptz),
          created_at = least(created_at, ${dateOf(times.createdAt)}::timestamptz)
        WHERE organization_id = ${organizationId} AND version = ${version}`.execute(db);
    },
  };
}

export type TransferStore = ReturnType<typeof createTransferStore>;
