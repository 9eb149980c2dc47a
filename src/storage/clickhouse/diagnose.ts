import type { Problem, StoreDiagnosis } from '#storage/ports/diagnosis.ts';
import type { ClickhouseDatabase } from './client.ts';

/** Parts of one partition; the engine slows inserts down at a thousand. */
const PARTS_MAX = 300;
const LISTED_MAX = 20;

type FailedMutation = { table: string; reason: string };
type FullPartition = { table: string; partition: string; parts: number };

/** Looks at mutations that fail and at partitions that are not merged. Source: the tables of `system`. */
export async function diagnoseClickhouse(database: ClickhouseDatabase): Promise<StoreDiagnosis> {
  const params = { database: database.name };
  const [[server], mutations, partitions] = await Promise.all([
    database.query<{ version: string; nowMs: number }>(
      'SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS nowMs',
      {},
    ),
    database.query<FailedMutation>(
      `SELECT table, latest_fail_reason AS reason FROM system.mutations
       WHERE database = {database:String} AND NOT is_done AND latest_fail_reason != ''
       ORDER BY table LIMIT ${LISTED_MAX}`,
      params,
    ),
    database.query<FullPartition>(
      `SELECT table, partition, count() AS parts FROM system.parts
       WHERE database = {database:String} AND active
       GROUP BY table, partition HAVING parts > ${PARTS_MAX}
       ORDER BY parts DESC LIMIT ${LISTED_MAX}`,
      params,
    ),
  ]);
  if (!server) throw new Error('ClickHouse answered no row');
  return {
    name: 'ClickHouse',
    version: server.version,
    nowMs: server.nowMs,
    problems: [...mutations.map(failedMutation), ...partitions.map(fullPartition)],
  };
}

const failedMutation = ({ table, reason }: FailedMutation): Problem => ({
  detail: `A change of the table ${table} fails: ${reason}`,
  next: 'Free what it names, such as disk or memory: it is retried automatically',
});

const fullPartition = ({ table, partition, parts }: FullPartition): Problem => ({
  detail: `The partition ${partition} of the table ${table} has ${parts} parts: merging does not keep up`,
  next: 'Give the server more disk speed or processors, or send less at once',
});
