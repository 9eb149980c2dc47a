import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { CodeMapping, CodeMappingStore } from '#storage/ports/code-mappings.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { Database } from './schema.ts';

export const createCodeMappingStore = (db: Kysely<Database>): CodeMappingStore => ({
  async list(organizationId, projectIds) {
    const { rows } = await sql<CodeMappingRow>`
      SELECT ${CODE_MAPPING} FROM code_mappings
      WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[])
      ORDER BY project_id, stack_root COLLATE "C", id`.execute(db);
    return rows.map(toCodeMapping);
  },

  async find(organizationId, mappingId) {
    const { rows } = await sql<CodeMappingRow>`
      SELECT ${CODE_MAPPING} FROM code_mappings
      WHERE organization_id = ${organizationId} AND id = ${mappingId}`.execute(db);
    return rows[0] ? toCodeMapping(rows[0]) : null;
  },

  async save(organizationId, draft, atMs) {
    const { rows } = await sql<CodeMappingRow & { is_new: boolean }>`
      INSERT INTO code_mappings (organization_id, project_id, repository_id, stack_root, source_root, default_branch,
        created_at)
      SELECT ${organizationId}, projects.id, repositories.id, ${draft.stackRoot}, ${draft.sourceRoot},
        ${draft.defaultBranch}, ${new Date(atMs)}
      FROM projects JOIN repositories ON repositories.organization_id = projects.organization_id
      WHERE projects.organization_id = ${organizationId} AND projects.id = ${draft.projectId}
        AND repositories.id = ${draft.repositoryId}
      FOR KEY SHARE
      ON CONFLICT (project_id, stack_root) DO UPDATE SET repository_id = excluded.repository_id,
        source_root = excluded.source_root, default_branch = excluded.default_branch
      RETURNING ${CODE_MAPPING}, xmax = 0 AS is_new`.execute(db);
    return rows[0] ? { mapping: toCodeMapping(rows[0]), isNew: rows[0].is_new } : null;
  },

  async update(organizationId, mappingId, draft) {
    try {
      const { rows } = await sql<CodeMappingRow>`
        UPDATE code_mappings SET project_id = projects.id, repository_id = repositories.id,
          stack_root = ${draft.stackRoot}, source_root = ${draft.sourceRoot}, default_branch = ${draft.defaultBranch}
        FROM projects JOIN repositories ON repositories.organization_id = projects.organization_id
        WHERE code_mappings.organization_id = ${organizationId} AND code_mappings.id = ${mappingId}
          AND projects.organization_id = ${organizationId} AND projects.id = ${draft.projectId}
          AND repositories.id = ${draft.repositoryId}
        RETURNING ${CODE_MAPPING}`.execute(db);
      return rows[0] ? toCodeMapping(rows[0]) : null;
    } catch (error) {
      if (!isUniqueViolation(error, 'code_mappings_root_uidx')) throw error;
      throw conflict(
        `The project has a code mapping for "${draft.stackRoot}" already: change that one`,
        'stackRoot',
      );
    }
  },

  async delete(organizationId, mappingId) {
    const { numAffectedRows } = await sql`
      DELETE FROM code_mappings WHERE organization_id = ${organizationId} AND id = ${mappingId}`.execute(db);
    return (numAffectedRows ?? 0n) > 0n;
  },
});

const CODE_MAPPING = sql`code_mappings.id, code_mappings.project_id, code_mappings.repository_id,
  code_mappings.stack_root, code_mappings.source_root, code_mappings.default_branch, code_mappings.created_at`;

type CodeMappingRow = {
  id: number;
  project_id: number;
  repository_id: number;
  stack_root: string;
  source_root: string;
  default_branch: string;
  created_at: Date;
};

const toCodeMapping = (row: CodeMappingRow): CodeMapping => ({
  id: row.id,
  projectId: row.project_id,
  repositoryId: row.repository_id,
  stackRoot: row.stack_root,
  sourceRoot: row.source_root,
  defaultBranch: row.default_branch,
  createdAt: row.created_at.getTime(),
});
