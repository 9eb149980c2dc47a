import { sql } from 'kysely';
import type { Deploy } from '#storage/ports/deploys.ts';

export const DEPLOY = sql`deploys.id, deploys.release_id, deploys.environment, deploys.name, deploys.url,
  deploys.started_at, deploys.finished_at`;

export type DeployRow = {
  id: number;
  release_id: number;
  environment: string;
  name: string | null;
  url: string | null;
  started_at: Date | null;
  finished_at: Date;
};

export const toDeploy = (row: DeployRow): Deploy => ({
  id: row.id,
  releaseId: row.release_id,
  environment: row.environment,
  name: row.name,
  url: row.url,
  startedAt: row.started_at?.getTime() ?? null,
  finishedAt: row.finished_at.getTime(),
});
