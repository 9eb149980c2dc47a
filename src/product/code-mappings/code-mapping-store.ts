import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Where the paths of a project's stack traces are in a repository. */
export type CodeMapping = {
  id: number;
  projectId: number;
  repositoryId: number;
  /** What paths begin with in stack traces; may be empty. */
  stackRoot: string;
  /** What they begin with in the repository instead; may be empty. */
  sourceRoot: string;
  /** What is linked to while no commit of the release is known. */
  defaultBranch: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type CodeMappingDraft = Omit<CodeMapping, 'id' | 'createdAt'>;

/** Source: PostgreSQL. Every call is scoped by organization. */
export const createCodeMappingStore = (db: Kysely<Database>) => ({
  /** Of any of the projects, by project, then by root. */
  list: (organizationId: number, projectIds: readonly number[]): Promise<readonly CodeMapping[]> =>
    query<CodeMapping>`
      SELECT ${CODE_MAPPING} FROM code_mappings
      WHERE organization_id = ${organizationId} AND project_id = ANY(${projectIds}::bigint[])
      ORDER BY project_id, stack_root COLLATE "C", id`.execute(db),

  find: (organizationId: number, mappingId: number): Promise<CodeMapping | null> =>
    query<CodeMapping>`
      SELECT ${CODE_MAPPING} FROM code_mappings
      WHERE organization_id = ${organizationId} AND id = ${mappingId}`.first(db),

  /**
   * One of the same project and root is changed instead. null when the organization has no such project or repository.
   */
  async save(
    organizationId: number,
    draft: CodeMappingDraft,
    atMs: number,
  ): Promise<{ mapping: CodeMapping; isNew: boolean } | null> {
    const row = await query<CodeMapping & { isNew: boolean }>`
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
      RETURNING ${CODE_MAPPING}, xmax = 0 AS is_new`.first(db);
    if (!row) return null;
    const { isNew, ...mapping } = row;
    return { mapping, isNew };
  },

  /** null when there is none (any more). Throws Conflict when the project has another one with the root. */
  update: (organizationId: number, mappingId: number, draft: CodeMappingDraft): Promise<CodeMapping | null> =>
    refuseTaken('code_mappings_root_uidx', rootTaken(draft), () =>
      query<CodeMapping>`
        UPDATE code_mappings SET project_id = projects.id, repository_id = repositories.id,
          stack_root = ${draft.stackRoot}, source_root = ${draft.sourceRoot}, default_branch = ${draft.defaultBranch}
        FROM projects JOIN repositories ON repositories.organization_id = projects.organization_id
        WHERE code_mappings.organization_id = ${organizationId} AND code_mappings.id = ${mappingId}
          AND projects.organization_id = ${organizationId} AND projects.id = ${draft.projectId}
          AND repositories.id = ${draft.repositoryId}
        RETURNING ${CODE_MAPPING}`.first(db),
    ),

  /** False when there is none. */
  async delete(organizationId: number, mappingId: number): Promise<boolean> {
    const deleted = await affectedRows`
      DELETE FROM code_mappings WHERE organization_id = ${organizationId} AND id = ${mappingId}`.execute(db);
    return deleted > 0;
  },
});

export type CodeMappingStore = ReturnType<typeof createCodeMappingStore>;

const CODE_MAPPING = sql`code_mappings.id, code_mappings.project_id, code_mappings.repository_id,
  code_mappings.stack_root, code_mappings.source_root, code_mappings.default_branch, code_mappings.created_at`;

const rootTaken =
  ({ stackRoot }: CodeMappingDraft) =>
  () =>
    conflict(`The project already has a code mapping for "${stackRoot}": edit that one`, 'stackRoot');
