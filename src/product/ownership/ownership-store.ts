import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';

/** Who owns what of a project, as its members wrote it. */
export type Ownership = {
  /** In the language of ownership rules: one rule a line. */
  rules: string;
  /** A CODEOWNERS file, whole. */
  codeowners: string;
  /** What paths of stack traces begin with, and what the repository has in its place. Empty for the same. */
  stackRoot: string;
  sourceRoot: string;
  /** Whether a new issue is assigned to its owner. */
  autoAssign: boolean;
};

export type StoredOwnership = Ownership & {
  /** 0 while nothing was saved. */
  version: number;
  /** Milliseconds since the epoch; null while nothing was saved. */
  updatedAt: number | null;
  /** null when nothing was saved or the user is gone. */
  updatedBy: { id: string; name: string } | null;
};

/** Ownership rules by project. Source: PostgreSQL. */
export function createOwnershipStore(db: Kysely<Database>) {
  return {
    /** null when the organization has no such project. */
    find: (organizationId: number, projectId: number): Promise<StoredOwnership | null> =>
      findOwnership(db, organizationId, projectId),

    /** null when the organization has no such project. Throws Conflict when `version` is not the current one. */
    async save(
      organizationId: number,
      projectId: number,
      ownership: Ownership,
      version: number,
      userId: string | null,
      atMs: number,
    ): Promise<StoredOwnership | null> {
      return await db.transaction().execute(async (transaction) => {
        // Whoever saves the first version at the same time waits here too.
        await sql`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`.execute(transaction);
        const current = await findOwnership(transaction, organizationId, projectId);
        if (!current) return null;
        if (current.version !== version) {
          throw conflict(
            'Someone else changed the ownership rules in the meantime: reload the page',
            'version',
          );
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

    /** Changes whenever any project's rules do; for caches. */
    async stamp(): Promise<string> {
      const row = await query<{ stamp: string }>`
        SELECT concat(count(*), ':', sum(version)) AS stamp FROM ownership_rules`.first(db);
      return row?.stamp ?? '';
    },

    /** Every project that assigns by itself, at most `limit`. */
    listAutoAssigning: (limit: number): Promise<readonly (Ownership & { projectId: number })[]> =>
      query<Ownership & { projectId: number }>`
        SELECT project_id, rules, codeowners, stack_root, source_root, auto_assign FROM ownership_rules
        WHERE auto_assign ORDER BY project_id LIMIT ${limit}`.execute(db),
  };
}

export type OwnershipStore = ReturnType<typeof createOwnershipStore>;

const findOwnership = (
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
): Promise<StoredOwnership | null> =>
  query<StoredOwnership>`
    SELECT coalesce(o.rules, '') AS rules, coalesce(o.codeowners, '') AS codeowners,
      coalesce(o.stack_root, '') AS stack_root, coalesce(o.source_root, '') AS source_root,
      coalesce(o.auto_assign, false) AS auto_assign, coalesce(o.version, 0) AS version, o.updated_at,
      ${userNamed('users')} AS updated_by
    FROM projects LEFT JOIN ownership_rules o ON o.project_id = projects.id
    LEFT JOIN users ON users.id = o.updated_by
    WHERE projects.organization_id = ${organizationId} AND projects.id = ${projectId}`.first(db);
