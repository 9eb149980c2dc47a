import type { Problem, StoreDiagnosis } from '#storage/ports/diagnosis.ts';
import type { ClickhouseDatabase, ServerState } from './client.ts';

/** Parts of one partition; the engine slows inserts down at a thousand. */
const PARTS_MAX = 300;
const LISTED_MAX = 20;
/** How far a server may be behind those with the same rows. */
const DELAY_SECONDS_MAX = 60;

type FailedMutation = { table: string; reason: string };
type FullPartition = { table: string; partition: string; parts: number };

/**
 * Looks at mutations that fail, at partitions that are not merged, and at the servers of a cluster. Source: the tables of
 * `system`.
 */
export async function diagnoseClickhouse(database: ClickhouseDatabase): Promise<StoreDiagnosis> {
  const [server] = await database.query<{ version: string; nowMs: number }>(
    'SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS nowMs',
    {},
  );
  if (!server) throw new Error('ClickHouse answered no row');
  const servers = await database.servers();
  const answering = servers.filter(({ error }) => error === null);
  return {
    name: 'ClickHouse',
    version: server.version,
    nowMs: server.nowMs,
    problems: [
      ...servers.flatMap(problemsOfServer),
      // The tables of `system` are read of all servers or of none.
      ...(answering.length === servers.length ? await findTableProblems(database) : []),
    ],
    servers: answering.map(({ name, version, rows, delaySeconds }) => ({
      name,
      detail: `version ${version}, ${rows} rows${delaySeconds > 0 ? `, ${delaySeconds} seconds behind` : ''}`,
    })),
  };
}

async function findTableProblems(database: ClickhouseDatabase): Promise<readonly Problem[]> {
  const params = { database: database.storedIn };
  const [mutations, partitions] = await Promise.all([
    database.query<FailedMutation>(
      `SELECT table, latest_fail_reason AS reason FROM ${database.system('mutations')}
       WHERE database = {database:String} AND NOT is_done AND latest_fail_reason != ''
       ORDER BY table LIMIT ${LISTED_MAX}`,
      params,
    ),
    database.query<FullPartition>(
      // By server: each merges its own.
      `SELECT table, partition, count() AS parts FROM ${database.system('parts')}
       WHERE database = {database:String} AND active
       GROUP BY table, partition, hostName() HAVING parts > ${PARTS_MAX}
       ORDER BY parts DESC LIMIT ${LISTED_MAX}`,
      params,
    ),
  ]);
  return [...mutations.map(failedMutation), ...partitions.map(fullPartition)];
}

function problemsOfServer({ name, error, delaySeconds, waitingFiles }: ServerState): readonly Problem[] {
  if (error !== null) {
    const next =
      'Start it, or look at its log: until every shard has a server that answers, events wait in the spool';
    return [{ detail: `The server ${name} is not responding: ${error}`, next }];
  }
  const problems: Problem[] = [];
  if (delaySeconds > DELAY_SECONDS_MAX)
    problems.push({
      detail: `The server ${name} is ${delaySeconds} seconds behind the others of its shard`,
      next: 'Check its disk, its network and Keeper: it catches up automatically',
    });
  if (waitingFiles > 0)
    problems.push({
      detail: `${waitingFiles} files wait on ${name} to be sent to other servers`,
      next: 'They are of inserts that Errata did not make, or of a version before: see system.distribution_queue',
    });
  return problems;
}

const failedMutation = ({ table, reason }: FailedMutation): Problem => ({
  detail: `A change of the table ${table} fails: ${reason}`,
  next: 'Free what it names, such as disk or memory: it is retried automatically',
});

const fullPartition = ({ table, partition, parts }: FullPartition): Problem => ({
  detail: `The partition ${partition} of the table ${table} has ${parts} parts: merging does not keep up`,
  next: 'Give the server more disk speed or processors, or send less at once',
});
