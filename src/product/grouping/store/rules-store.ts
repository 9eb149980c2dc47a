import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { ActiveGroupingRules, GroupingRulesVersion, NewGroupingRules } from '../grouping-change.ts';
import { refuseWhileRunning } from './change-rows.ts';

/** Versions of grouping rules by project. Source: PostgreSQL. */
export function createGroupingRulesStore(db: Kysely<Database>) {
  const select = async (organizationId: number, projectId: number, version: number | null, limit: number) => {
    return await query<GroupingRulesVersion>`
      SELECT rules.version, rules.fingerprint, rules.stack_trace, rules.restored_from,
        CASE WHEN rules.author_user_id IS NOT NULL
          THEN json_build_object('userId', rules.author_user_id, 'name', coalesce(users.name, '')) END AS author,
        rules.created_at, rules.activated_at FROM grouping_rules rules
      JOIN projects ON projects.id = rules.project_id
      LEFT JOIN users ON users.id = rules.author_user_id
      WHERE rules.project_id = ${projectId} AND projects.organization_id = ${organizationId}
        ${version === null ? sql`` : sql`AND rules.version = ${version}`}
      ORDER BY rules.version DESC LIMIT ${limit}`.execute(db);
  };
  return {
    /** Of every project that has rules, for digest's table; at most `limit`. */
    listActive: (limit: number): Promise<readonly ActiveGroupingRules[]> =>
      query<ActiveGroupingRules>`
        SELECT DISTINCT ON (project_id) project_id, version, fingerprint, stack_trace FROM grouping_rules
        WHERE activated_at IS NOT NULL ORDER BY project_id DESC, activated_at DESC, version DESC
        LIMIT ${limit}`.execute(db),

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

export async function findActiveRules(
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
): Promise<ActiveGroupingRules> {
  const active = await query<ActiveGroupingRules>`
    SELECT rules.project_id, rules.version, rules.fingerprint, rules.stack_trace FROM grouping_rules rules
    JOIN projects ON projects.id = rules.project_id
    WHERE rules.project_id = ${projectId} AND projects.organization_id = ${organizationId}
      AND rules.activated_at IS NOT NULL
    ORDER BY rules.activated_at DESC, rules.version DESC LIMIT 1`.first(db);
  return active ?? { projectId, version: 0, fingerprint: '', stackTrace: '' };
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
  const row = await query<{ version: number }>`
    INSERT INTO grouping_rules (project_id, version, fingerprint, stack_trace, author_user_id, restored_from,
      created_at, activated_at)
    SELECT id, (SELECT coalesce(max(version), 0) + 1 FROM grouping_rules WHERE project_id = projects.id),
      ${toStorableText(rules.fingerprint)}, ${toStorableText(rules.stackTrace)}, ${rules.authorUserId},
      ${rules.restoredFrom}::integer, ${new Date(nowMs)}, ${activatedMs === null ? null : new Date(activatedMs)}::timestamptz
    FROM projects WHERE id = ${projectId} AND organization_id = ${organizationId}
    RETURNING version`.first(db);
  if (!row) throw conflict('The project no longer exists');
  return row.version;
}
