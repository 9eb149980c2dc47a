import { type Kysely, sql } from 'kysely';
import type { DeployStore } from '#storage/ports/deploys.ts';
import { DEPLOY, type DeployRow, toDeploy } from './deploy-row.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export const createDeployStore = (db: Kysely<Database>): DeployStore => ({
  async create(organizationId, deploy, projectIds, atMs) {
    return await db.transaction().execute(async (transaction) => {
      const environment = toStorableText(deploy.environment);
      const { rows } = await sql<DeployRow>`
        INSERT INTO deploys (organization_id, release_id, environment, name, url, started_at, finished_at)
        SELECT organization_id, id, ${environment}, ${storable(deploy.name)}::text, ${storable(deploy.url)}::text,
          ${dateOrNull(deploy.startedAt)}::timestamptz, ${new Date(deploy.finishedAt)}
        FROM releases WHERE organization_id = ${organizationId} AND id = ${deploy.releaseId} FOR KEY SHARE
        RETURNING ${DEPLOY}`.execute(transaction);
      if (!rows[0]) return null;
      await sql`
        INSERT INTO environments (organization_id, project_id, name, first_seen)
        SELECT organization_id, id, ${environment}, ${new Date(atMs)} FROM projects
        WHERE organization_id = ${organizationId} AND id = ANY(${projectIds}::bigint[])
        ORDER BY id FOR KEY SHARE
        ON CONFLICT DO NOTHING`.execute(transaction);
      return toDeploy(rows[0]);
    });
  },

  async list(organizationId, releaseId, { limit, after }) {
    const before = new Date(after?.finishedAt ?? 0);
    const { rows } = await sql<DeployRow>`
      SELECT ${DEPLOY} FROM deploys
      WHERE organization_id = ${organizationId} AND release_id = ${releaseId}
        AND (${after === null} OR (finished_at, id) < (${before}::timestamptz, ${after?.id ?? 0}::bigint))
      ORDER BY finished_at DESC, id DESC LIMIT ${limit + 1}`.execute(db);
    const deploys = rows.slice(0, limit).map(toDeploy);
    const last = deploys.at(-1);
    return {
      deploys,
      next: rows.length > limit && last ? { finishedAt: last.finishedAt, id: last.id } : null,
    };
  },
});

const storable = (text: string | null): string | null => (text === null ? null : toStorableText(text));

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
