import { type Kysely, sql } from 'kysely';
import type { SeenRelease } from '#storage/ports/search.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What searches name. Source: PostgreSQL. Every call is scoped by organization. */
export function createSearchNameStore(db: Kysely<Database>) {
  return {
    /** Newest first, at most `limit`. */
    async listReleases(
      organizationId: number,
      projectIds: readonly number[],
      limit: number,
    ): Promise<readonly SeenRelease[]> {
      const { rows } = await sql<{ version: string; project_id: number; first_seen: Date }>`
        SELECT releases.version, release_projects.project_id, release_projects.first_seen
        FROM release_projects JOIN releases ON releases.id = release_projects.release_id
        WHERE releases.organization_id = ${organizationId}
          AND release_projects.project_id = ANY(${projectIds}::bigint[])
        ORDER BY release_projects.first_seen DESC, releases.id DESC LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({
        version: row.version,
        projectId: row.project_id,
        firstSeen: row.first_seen.getTime(),
      }));
    },
  };
}

export type SearchNameStore = ReturnType<typeof createSearchNameStore>;
