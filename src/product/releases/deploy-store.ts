import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';

/** A release that went to an environment. */
export type Deploy = {
  id: number;
  releaseId: number;
  environment: string;
  /** null when unknown. */
  name: string | null;
  url: string | null;
  /** Milliseconds since the epoch; null when unknown. */
  startedAt: number | null;
  finishedAt: number;
};

/** Opaque to callers: where the page before ended. */
export type DeployPlace = { finishedAt: number; id: number };

/** Where releases went. Source: PostgreSQL. Every call is scoped by organization. */
export const createDeployStore = (db: Kysely<Database>) => ({
  /** Makes the environment known in the projects as well. null when the organization has no such release. */
  async create(
    organizationId: number,
    deploy: Omit<Deploy, 'id'>,
    projectIds: readonly number[],
    atMs: number,
  ): Promise<Deploy | null> {
    return await db.transaction().execute(async (transaction) => {
      const environment = toStorableText(deploy.environment);
      const created = await query<Deploy>`
        INSERT INTO deploys (organization_id, release_id, environment, name, url, started_at, finished_at)
        SELECT organization_id, id, ${environment}, ${storable(deploy.name)}::text, ${storable(deploy.url)}::text,
          ${dateOrNull(deploy.startedAt)}::timestamptz, ${new Date(deploy.finishedAt)}
        FROM releases WHERE organization_id = ${organizationId} AND id = ${deploy.releaseId} FOR KEY SHARE
        RETURNING ${DEPLOY}`.first(transaction);
      if (!created) return null;
      await sql`
        INSERT INTO environments (organization_id, project_id, name, first_seen)
        SELECT organization_id, id, ${environment}, ${new Date(atMs)} FROM projects
        WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
        ORDER BY id FOR KEY SHARE
        ON CONFLICT DO NOTHING`.execute(transaction);
      return created;
    });
  },

  /** The one that finished last comes first. */
  async list(
    organizationId: number,
    releaseId: number,
    { limit, after }: { limit: number; after: DeployPlace | null },
  ): Promise<{ deploys: readonly Deploy[]; next: DeployPlace | null }> {
    const before = new Date(after?.finishedAt ?? 0);
    const found = await query<Deploy>`
      SELECT ${DEPLOY} FROM deploys
      WHERE organization_id = ${organizationId} AND release_id = ${releaseId}
        AND (${after === null} OR (finished_at, id) < (${before}::timestamptz, ${after?.id ?? 0}::bigint))
      ORDER BY finished_at DESC, id DESC LIMIT ${limit + 1}`.execute(db);
    const deploys = found.slice(0, limit);
    const last = deploys.at(-1);
    return {
      deploys,
      next: found.length > limit && last ? { finishedAt: last.finishedAt, id: last.id } : null,
    };
  },

  /** When each of the releases was deployed first, in any of the environments, all for none; by release. */
  async findFirst(
    organizationId: number,
    releaseIds: readonly number[],
    environments: readonly string[],
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await query<{ releaseId: number; finishedAt: number }>`
      SELECT release_id, min(finished_at) AS finished_at FROM deploys
      WHERE organization_id = ${organizationId} AND release_id = ANY(${releaseIds}::bigint[])
        AND (${environments.length === 0} OR environment = ANY(${environments.map(toStorableText)}::text[]))
      GROUP BY release_id`.execute(db);
    return new Map(rows.map((row) => [row.releaseId, row.finishedAt]));
  },

  /** Those of releases of the projects that finished in the range, the last one first, with the version. */
  listBetween: (
    organizationId: number,
    projectIds: readonly number[],
    range: { fromMs: number; toMs: number },
    limit: number,
  ): Promise<readonly (Deploy & { version: string })[]> =>
    query<Deploy & { version: string }>`
      SELECT ${DEPLOY}, releases.version FROM deploys JOIN releases ON releases.id = deploys.release_id
      WHERE deploys.organization_id = ${organizationId}
        AND finished_at >= ${new Date(range.fromMs)} AND finished_at < ${new Date(range.toMs)}
        AND EXISTS (SELECT FROM release_projects
          WHERE release_projects.release_id = releases.id AND project_id = ANY(${projectIds}::bigint[]))
      ORDER BY finished_at DESC, deploys.id DESC LIMIT ${limit}`.execute(db),
});

export type DeployStore = ReturnType<typeof createDeployStore>;

const storable = (text: string | null): string | null => (text === null ? null : toStorableText(text));

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export const DEPLOY = sql`deploys.id, deploys.release_id, deploys.environment, deploys.name, deploys.url,
  deploys.started_at, deploys.finished_at`;
