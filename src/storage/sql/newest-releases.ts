import { type Kysely, sql } from 'kysely';
import type { PackageScope } from '#domain/issues/package-scope.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/**
 * The newest release of each scope that has one: among semantic versions of one package the highest, else the one that
 * was released, or first seen, last.
 */
export async function findNewestReleases<Scope extends PackageScope>(
  db: Kysely<Database>,
  scopes: readonly Scope[],
): Promise<Map<Scope, string>> {
  if (scopes.length === 0) return new Map();
  const byKey = Map.groupBy(scopes, (scope) =>
    JSON.stringify({ projectId: scope.projectId, package: scope.package }),
  );
  const wanted = [...byKey].map(([key, [scope]]) => ({
    key,
    project_id: scope!.projectId,
    package: scope!.package ?? null,
    is_any: scope!.package === undefined,
  }));
  const { rows } = await sql<{ key: string; version: string }>`
    SELECT wanted.key, coalesce(highest.version, last.version) AS version
    FROM json_to_recordset(${toStorableJson(wanted)}::json)
      AS wanted (key text, project_id bigint, package text, is_any boolean)
    CROSS JOIN LATERAL (
      SELECT releases.* FROM release_projects seen JOIN releases ON releases.id = seen.release_id
      WHERE seen.project_id = wanted.project_id
        AND (wanted.is_any OR releases.package IS NOT DISTINCT FROM wanted.package)
      ORDER BY coalesce(releases.released_at, releases.first_seen) DESC, releases.id DESC LIMIT 1
    ) last
    LEFT JOIN LATERAL (
      SELECT releases.version FROM release_projects seen JOIN releases ON releases.id = seen.release_id
      WHERE seen.project_id = wanted.project_id AND last.version_order IS NOT NULL
        AND releases.version_order IS NOT NULL AND releases.package IS NOT DISTINCT FROM last.package
      ORDER BY releases.version_order DESC, coalesce(releases.released_at, releases.first_seen) DESC LIMIT 1
    ) highest ON true`.execute(db);
  return new Map(rows.flatMap(({ key, version }) => (byKey.get(key) ?? []).map((scope) => [scope, version])));
}
