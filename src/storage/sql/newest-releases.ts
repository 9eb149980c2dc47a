import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/**
 * The newest release of each project that has one: among semantic versions of one package the highest, else the one
 * that was released, or first seen, last.
 */
export async function findNewestReleases(
  db: Kysely<Database>,
  projectIds: readonly number[],
): Promise<Map<number, string>> {
  if (projectIds.length === 0) return new Map();
  const { rows } = await sql<{ project_id: number; version: string }>`
    SELECT last.project_id, coalesce(highest.version, last.version) AS version
    FROM (
      SELECT DISTINCT ON (seen.project_id) seen.project_id, releases.*
      FROM release_projects seen JOIN releases ON releases.id = seen.release_id
      WHERE seen.project_id = ANY(${projectIds}::bigint[])
      ORDER BY seen.project_id, coalesce(releases.released_at, releases.first_seen) DESC, releases.id DESC
    ) last
    LEFT JOIN LATERAL (
      SELECT releases.version FROM release_projects seen JOIN releases ON releases.id = seen.release_id
      WHERE seen.project_id = last.project_id AND last.version_order IS NOT NULL
        AND releases.version_order IS NOT NULL AND releases.package IS NOT DISTINCT FROM last.package
      ORDER BY releases.version_order DESC, coalesce(releases.released_at, releases.first_seen) DESC LIMIT 1
    ) highest ON true`.execute(db);
  return new Map(rows.map((row) => [row.project_id, row.version]));
}
