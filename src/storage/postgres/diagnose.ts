import type { Problem, StoreDiagnosis } from '#storage/ports/diagnosis.ts';
import type { PostgresDatabase } from './database.ts';

/** A query that runs longer is told of. */
const SLOW_QUERY_SECONDS = 60;
/** Of the connections that the server allows. */
const CONNECTIONS_SHARE_MAX = 0.9;

type Row = {
  version: string;
  now_ms: string;
  slow: number;
  slowest_seconds: number | null;
  connections: number;
  connections_max: number;
  invalid_indexes: readonly string[];
};

/** Looks at indexes, running queries and connections. Source: the catalog and pg_stat_activity. */
export async function diagnosePostgres({ pool }: Pick<PostgresDatabase, 'pool'>): Promise<StoreDiagnosis> {
  const { rows } = await pool.query<Row>(
    `SELECT current_setting('server_version') AS version,
       (extract(epoch FROM clock_timestamp()) * 1000)::text AS now_ms,
       (SELECT count(*)::int FROM pg_stat_activity WHERE ${IS_SLOW}) AS slow,
       (SELECT max(extract(epoch FROM now() - query_start))::int FROM pg_stat_activity WHERE ${IS_SLOW}) AS slowest_seconds,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
       current_setting('max_connections')::int AS connections_max,
       ARRAY(SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1) AS invalid_indexes`,
    [SLOW_QUERY_SECONDS],
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL answered no row');
  return {
    name: 'PostgreSQL',
    version: row.version,
    nowMs: Number(row.now_ms),
    problems: problemsOf(row),
    servers: [],
  };
}

const IS_SLOW = `datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
  AND query_start < now() - make_interval(secs => $1)`;

function problemsOf(row: Row): readonly Problem[] {
  const problems: Problem[] = row.invalid_indexes.map((name) => ({
    detail: `The index ${name} is invalid and is not used`,
    next: `Rebuild it: REINDEX INDEX CONCURRENTLY ${name}`,
  }));
  if (row.slow > 0) {
    problems.push({
      detail: `${row.slow} queries run for more than ${SLOW_QUERY_SECONDS} seconds, the longest for ${row.slowest_seconds}`,
      next: 'See what they are in pg_stat_activity; a migration or a backup may take that long',
    });
  }
  if (row.connections > row.connections_max * CONNECTIONS_SHARE_MAX) {
    problems.push({
      detail: `${row.connections} of ${row.connections_max} connections are taken`,
      next: 'Raise max_connections of the server, or end what else connects to it',
    });
  }
  return problems;
}
