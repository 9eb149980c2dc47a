import type { ProjectShare } from '#storage/ports/stored-days.ts';
import type { ClickhouseDatabase } from './client.ts';

/** Rows of a day that are compressed to see what they weigh; the others of a project weigh as much as those. */
const SAMPLE_ROWS = 40_000;
/** Projects whose share of a day is measured. */
const PROJECTS_MAX = 200_000;
const ROW = "formatRow('RowBinary', *)";

/**
 * Whose rows a day has. Projects share files, so what each takes of them is estimated: a sample of its rows, compressed by
 * the codec of the tables, for as many rows as it has. A day of one project needs no sample.
 */
export async function weighProjects(
  database: ClickhouseDatabase,
  table: string,
  partition: string,
): Promise<readonly ProjectShare[]> {
  const counted = await database.query<Omit<ProjectShare, 'weight'>>(
    `SELECT any(organization_id) AS organizationId, project_id AS projectId, count() AS rows FROM ${table}
     WHERE _partition_id = {partition:String} GROUP BY project_id ORDER BY project_id LIMIT ${PROJECTS_MAX}`,
    { partition },
  );
  const weights = counted.length > 1 ? await weighSample(database, table, partition, counted) : new Map();
  return counted.map((row) => ({ ...row, weight: row.rows * (weights.get(row.projectId) ?? 1) }));
}

/** Bytes of a row by project, compressed. */
async function weighSample(
  database: ClickhouseDatabase,
  table: string,
  partition: string,
  counted: readonly { rows: number }[],
): Promise<ReadonlyMap<number, number>> {
  const rows = counted.reduce((sum, each) => sum + each.rows, 0);
  const every = Math.max(1, Math.floor(rows / SAMPLE_ROWS));
  // Of a project with few rows all are taken, so that none is left out.
  const sampled = await database.query<{ project_id: number; weight: number }>(
    `SELECT project_id,
       sum(length(${ROW})) / greatest(1, estimateCompressionRatio('ZSTD(1)')(${ROW})) / count() AS weight
     FROM ${table}
     WHERE _partition_id = {partition:String} AND (_part_offset % {every:UInt32} = 0
       OR project_id IN (SELECT project_id FROM ${table} WHERE _partition_id = {partition:String}
         GROUP BY project_id HAVING count() < {few:UInt32}))
     GROUP BY project_id`,
    { partition, every, few: 4 * every },
  );
  return new Map(sampled.map((row) => [row.project_id, Math.max(1, row.weight)]));
}

export async function weighHours(
  database: ClickhouseDatabase,
  table: string,
  partition: string,
  projectId: number,
): Promise<readonly { hour: number; weight: number }[]> {
  return await database.query<{ hour: number; weight: number }>(
    `SELECT toHour(received_at, 'UTC') AS hour, sum(length(${ROW})) AS weight FROM ${table}
     WHERE _partition_id = {partition:String} AND project_id = {projectId:UInt64}
     GROUP BY hour ORDER BY hour`,
    { partition, projectId },
  );
}
