import { type Kysely, sql } from 'kysely';
import type { ReleaseStore } from '#storage/ports/releases.ts';
import { findNewestReleases } from './newest-releases.ts';
import { createReleaseChanges } from './release-changes.ts';
import { createReleaseLists } from './release-lists.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export function createReleaseStore(db: Kysely<Database>): ReleaseStore {
  return {
    ...createReleaseLists(db),
    ...createReleaseChanges(db),

    async listReleases(organizationId, projectIds, { search, limit }) {
      const ids = [...new Set(projectIds)];
      const { rows } = await sql<{ version: string; at: Date }>`
        SELECT version, coalesce(released_at, first_seen) AS at FROM releases
        WHERE organization_id = ${organizationId} AND status = 'open'
          AND (SELECT count(*) FROM release_projects
               WHERE release_id = releases.id AND project_id = ANY(${ids}::bigint[])) = ${ids.length}
          AND position(lower(${toStorableText(search)}) IN lower(version)) > 0
        ORDER BY at DESC, id DESC LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ version: row.version, dateMs: row.at.getTime() }));
    },

    async findNewest(organizationId, projectIds) {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM projects WHERE organization_id = ${organizationId}
          AND id = ANY(${projectIds}::bigint[])`.execute(db);
      return await findNewestReleases(
        db,
        rows.map(({ id }) => id),
      );
    },
  };
}
