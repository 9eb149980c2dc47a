import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { fromRow, type RowOf } from '#lib/from-row.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { ActiveGroupingRules, GroupingRulesVersion, NewGroupingRules } from '../grouping-change.ts';
import { refuseWhileRunning } from './change-rows.ts';

type VersionRow = RowOf<Omit<GroupingRulesVersion, 'author'>> & {
  author_user_id: string | null;
  author_name: string | null;
};

/** Versions of grouping rules by project. Source: PostgreSQL. */
export function createGroupingRulesStore(db: Kysely<Database>) {
  const select = async (organizationId: number, projectId: number, version: number | null, limit: number) => {
    const { rows } = await sql<VersionRow>`
      SELECT rules.version, rules.fingerprint, rules.stack_trace, rules.author_user_id, users.name AS author_name,
        rules.restored_from, rules.created_at, rules.activated_at FROM grouping_rules rules
      JOIN projects ON projects.id = rules.project_id
      LEFT JOIN users ON users.id = rules.author_user_id
      WHERE rules.project_id = ${projectId} AND projects.organization_id = ${organizationId}
        ${version === null ? sql`` : sql`AND rules.version = ${version}`}
      ORDER BY rules.version DESC LIMIT ${limit}`.execute(db);
    return rows.map(toVersion);
  };
  return {
    /** Of every project that has rules, for digest's table; at most `limit`. */
    async listActive(limit: number): Promise<readonly ActiveGroupingRules[]> {
      const { rows } = await sql<ActiveRow>`
        SELECT DISTINCT ON (project_id) project_id, version, fingerprint, stack_trace FROM grouping_rules
        WHERE activated_at IS NOT NULL ORDER BY project_id DESC, activated_at DESC, version DESC
        LIMIT ${limit}`.execute(db);
      return rows.map(fromRow<ActiveGroupingRules>);
    },

    /** The rules that count now. */
    findActive: (organizationId: number, projectId: number): Promise<ActiveGroupingRules> =>
      findActiveRules(db, organizationId, projectId),

    /** null when there is no such version. */
    async findVersion(
      organizationId: number,
      projectId: number,
      version: number,
    ): Promise<GroupingRulesVersion | null> {
      const [row] = await select(organizationId, projectId, version, 1);
      return row ?? null;
    },

    /** Newest first. */
    listVersions: (
      organizationId: number,
      projectId: number,
      limit: number,
    ): Promise<readonly GroupingRulesVersion[]> => select(organizationId, projectId, null, limit),

    /** Activates a new version, returns its number. Throws Conflict when `basedOn` is outdated or regrouping runs. */
    async activate(
      organizationId: number,
      projectId: number,
      rules: NewGroupingRules,
      nowMs: number,
    ): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        await lockHashIndex(transaction, projectId);
        await refuseWhileRunning(transaction, projectId);
        return await insertVersion(transaction, organizationId, projectId, rules, nowMs, nowMs);
      });
    },
  };
}

export type GroupingRulesStore = ReturnType<typeof createGroupingRulesStore>;

type ActiveRow = RowOf<ActiveGroupingRules>;

export async function findActiveRules(
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
): Promise<ActiveGroupingRules> {
  const { rows } = await sql<ActiveRow>`
    SELECT rules.project_id, rules.version, rules.fingerprint, rules.stack_trace FROM grouping_rules rules
    JOIN projects ON projects.id = rules.project_id
    WHERE rules.project_id = ${projectId} AND projects.organization_id = ${organizationId}
      AND rules.activated_at IS NOT NULL
    ORDER BY rules.activated_at DESC, rules.version DESC LIMIT 1`.execute(db);
  const [row] = rows;
  return row ? fromRow<ActiveGroupingRules>(row) : { projectId, version: 0, fingerprint: '', stackTrace: '' };
}

/** Under the lock of the project's hash index. Throws Conflict when `basedOn` is not the active version any more. */
export async function insertVersion(
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
  rules: NewGroupingRules,
  nowMs: number,
  activatedMs: number | null,
): Promise<number> {
  const active = await findActiveRules(db, organizationId, projectId);
  if (active.version !== rules.basedOn) {
    throw conflict('Someone else has changed the rules in the meantime: reload the page to see them');
  }
  const { rows } = await sql<{ version: number }>`
    INSERT INTO grouping_rules (project_id, version, fingerprint, stack_trace, author_user_id, restored_from,
      created_at, activated_at)
    SELECT id, (SELECT coalesce(max(version), 0) + 1 FROM grouping_rules WHERE project_id = projects.id),
      ${toStorableText(rules.fingerprint)}, ${toStorableText(rules.stackTrace)}, ${rules.authorUserId},
      ${rules.restoredFrom}::integer, ${new Date(nowMs)}, ${activatedMs === null ? null : new Date(activatedMs)}::timestamptz
    FROM projects WHERE id = ${projectId} AND organization_id = ${organizationId}
    RETURNING version`.execute(db);
  const [row] = rows;
  if (!row) throw conflict('The project no longer exists');
  return row.version;
}

const toVersion = ({
  author_user_id: userId,
  author_name: name,
  ...row
}: VersionRow): GroupingRulesVersion => ({
  ...fromRow<Omit<GroupingRulesVersion, 'author'>>(row),
  author: userId === null ? null : { userId, name: name ?? '' },
});
