import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';

/** A release that was adopted in an environment of a project. Milliseconds since the epoch. */
export type NotedAdoption = {
  releaseId: number;
  projectId: number;
  /** Empty for none. */
  environment: string;
  adoptedAt: number;
  /** null while it still is. */
  replacedAt: number | null;
};

/** Where sessions began, with the releases that a large share of them ran. */
export type MeasuredPlace = { projectId: number; environment: string; adopted: readonly string[] };

/** What is remembered of how releases spread. Source: PostgreSQL. Every call is scoped by organization. */
export const createAdoptionStore = (db: Kysely<Database>) => ({
  async listAdoptions(
    organizationId: number,
    releaseIds: readonly number[],
    projectIds: readonly number[],
  ): Promise<readonly NotedAdoption[]> {
    if (releaseIds.length === 0) return [];
    return await query<NotedAdoption>`
      SELECT release_id, project_id, environment, adopted_at, replaced_at FROM release_adoptions
      WHERE organization_id = ${organizationId} AND release_id = ANY(${[...releaseIds]}::bigint[])
        AND project_id = ANY(${[...projectIds]}::bigint[])
      ORDER BY release_id, project_id, environment`.execute(db);
  },

  /** Releases that are adopted in a place now are from this moment; others there that were are replaced. */
  async noteAdoptions(organizationId: number, places: readonly MeasuredPlace[], atMs: number): Promise<void> {
    if (places.length === 0) return;
    const at = new Date(atMs);
    const rows = places.flatMap(({ projectId, environment, adopted }) =>
      adopted.map((version) => ({ projectId, environment, version })),
    );
    await db.transaction().execute(async (transaction) => {
      await sql`
        INSERT INTO release_adoptions (organization_id, release_id, project_id, environment, adopted_at)
        SELECT releases.organization_id, releases.id, projects.id, measured.environment, ${at}
        FROM unnest(
          ${rows.map(({ projectId }) => projectId)}::bigint[],
          ${rows.map(({ environment }) => toStorableText(environment))}::text[],
          ${rows.map(({ version }) => toStorableText(version))}::text[]
        ) AS measured (project_id, environment, version)
        JOIN releases ON releases.organization_id = ${organizationId} AND releases.version = measured.version
        JOIN projects ON projects.organization_id = ${organizationId} AND projects.id = measured.project_id
        ORDER BY releases.id, projects.id, measured.environment
        ON CONFLICT (release_id, project_id, environment)
          DO UPDATE SET adopted_at = EXCLUDED.adopted_at, replaced_at = NULL
          WHERE release_adoptions.replaced_at IS NOT NULL`.execute(transaction);
      await sql`
        UPDATE release_adoptions SET replaced_at = ${at}
        FROM unnest(
          ${places.map(({ projectId }) => projectId)}::bigint[],
          ${places.map(({ environment }) => toStorableText(environment))}::text[]
        ) AS measured (project_id, environment), releases
        WHERE release_adoptions.organization_id = ${organizationId} AND replaced_at IS NULL
          AND release_adoptions.project_id = measured.project_id
          AND release_adoptions.environment = measured.environment
          AND releases.id = release_adoptions.release_id
          AND NOT EXISTS (
            SELECT FROM unnest(
              ${rows.map(({ projectId }) => projectId)}::bigint[],
              ${rows.map(({ environment }) => toStorableText(environment))}::text[],
              ${rows.map(({ version }) => toStorableText(version))}::text[]
            ) AS adopted (project_id, environment, version)
            WHERE adopted.project_id = release_adoptions.project_id
              AND adopted.environment = release_adoptions.environment AND adopted.version = releases.version
          )`.execute(transaction);
    });
  },
});
