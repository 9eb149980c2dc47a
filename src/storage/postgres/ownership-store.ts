import { type Kysely, sql, type Transaction } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { Ownership, OwnershipStore, StoredOwnership } from '#storage/ports/ownership.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export function createOwnershipStore(db: Kysely<Database>): OwnershipStore {
  return {
    find: (organizationId, projectId) => findOwnership(db, organizationId, projectId),

    async save(organizationId, projectId, ownership, version, userId, atMs) {
      return await db.transaction().execute(async (transaction) => {
        // Whoever saves the first version at the same time waits here too.
        await sql`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`.execute(transaction);
        const current = await findOwnership(transaction, organizationId, projectId);
        if (!current) return null;
        if (current.version !== version) {
          throw conflict('Somebody else changed the ownership rules meanwhile: load them again', 'version');
        }
        await sql`
          INSERT INTO ownership_rules (project_id, rules, codeowners, stack_root, source_root, auto_assign, version,
            updated_by, updated_at)
          VALUES (${projectId}, ${toStorableText(ownership.rules)}, ${toStorableText(ownership.codeowners)},
            ${toStorableText(ownership.stackRoot)}, ${toStorableText(ownership.sourceRoot)},
            ${ownership.autoAssign}, ${version + 1}, ${userId}, ${new Date(atMs)})
          ON CONFLICT (project_id) DO UPDATE SET rules = excluded.rules, codeowners = excluded.codeowners,
            stack_root = excluded.stack_root, source_root = excluded.source_root,
            auto_assign = excluded.auto_assign, version = excluded.version, updated_by = excluded.updated_by,
            updated_at = excluded.updated_at`.execute(transaction);
        return await findOwnership(transaction, organizationId, projectId);
      });
    },

    async stamp() {
      const { rows } = await sql<{ stamp: string }>`
        SELECT concat(count(*), ':', sum(version)) AS stamp FROM ownership_rules`.execute(db);
      return rows[0]?.stamp ?? '';
    },

    async listAutoAssigning(limit) {
      const { rows } = await sql<OwnershipColumns & { project_id: number }>`
        SELECT project_id, rules, codeowners, stack_root, source_root, auto_assign FROM ownership_rules
        WHERE auto_assign ORDER BY project_id LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ projectId: row.project_id, ...toOwnership(row) }));
    },
  };
}

type OwnershipColumns = {
  rules: string;
  codeowners: string;
  stack_root: string;
  source_root: string;
  auto_assign: boolean;
};
type OwnershipRow = OwnershipColumns & {
  version: number;
  updated_at: Date | null;
  updated_by: string | null;
  updated_by_name: string | null;
};

async function findOwnership(
  db: Kysely<Database> | Transaction<Database>,
  organizationId: number,
  projectId: number,
): Promise<StoredOwnership | null> {
  const { rows } = await sql<OwnershipRow>`
    SELECT coalesce(o.rules, '') AS rules, coalesce(o.codeowners, '') AS codeowners,
      coalesce(o.stack_root, '') AS stack_root, coalesce(o.source_root, '') AS source_root,
      coalesce(o.auto_assign, false) AS auto_assign, coalesce(o.version, 0) AS version, o.updated_at, o.updated_by,
      users.name AS updated_by_name
    FROM projects LEFT JOIN ownership_rules o ON o.project_id = projects.id
    LEFT JOIN users ON users.id = o.updated_by
    WHERE projects.organization_id = ${organizationId} AND projects.id = ${projectId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return {
    ...toOwnership(row),
    version: row.version,
    updatedAt: row.updated_at?.getTime() ?? null,
    updatedBy: row.updated_by === null ? null : { id: row.updated_by, name: row.updated_by_name ?? '' },
  };
}

const toOwnership = (row: OwnershipColumns): Ownership => ({
  rules: row.rules,
  codeowners: row.codeowners,
  stackRoot: row.stack_root,
  sourceRoot: row.source_root,
  autoAssign: row.auto_assign,
});
