import type { Kysely } from 'kysely';
import type { SeenRelease } from '#storage/ports/search.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What searches name. Source: PostgreSQL. Every call is scoped by organization. */
export function createSearchNameStore(db: Kysely<Database>) {
  return {
    /** Newest first, at most `limit`. */
    listReleases: (
      organizationId: number,
      projectIds: readonly number[],
      limit: number,
    ): Promise<readonly SeenRelease[]> =>
      query<SeenRelease>`
        SELECT releases.version, release_projects.project_id, release_projects.first_seen
        FROM release_projects JOIN releases ON releases.id = release_projects.release_id
        WHERE releases.organization_id = ${organizationId}
          AND release_projects.project_id = ANY(${projectIds}::bigint[])
        ORDER BY release_projects.first_seen DESC, releases.id DESC LIMIT ${limit}`.execute(db),
  };
}

export type SearchNameStore = ReturnType<typeof createSearchNameStore>;
