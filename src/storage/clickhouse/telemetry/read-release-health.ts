import type { EventScope } from '#storage/ports/events.ts';
import type { ReleaseHealth, TelemetrySummaries } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';

export async function readReleaseHealth(
  database: ClickhouseDatabase,
  scope: EventScope,
  { releases, limit, ...query }: Parameters<TelemetrySummaries['countReleaseHealth']>[1],
): Promise<readonly ReleaseHealth[]> {
  const sessions = lastOfSessions(scope, { ...query, releases });
  return await database.query<ReleaseHealth>(
    `SELECT project_id AS projectId, release,
       sum(last.1) AS exited, sum(last.2) AS errored, sum(last.3) AS crashed,
       sum(last.4) AS abnormal, sum(last.5) AS unhandled,
       uniqExactIf(user, user != '') AS users,
       uniqExactIf(user, user != '' AND last.3 > 0) AS crashedUsers
     FROM (${sessions.sql})
     GROUP BY project_id, release
     ORDER BY exited + errored + crashed + abnormal + unhandled DESC, release, project_id
     LIMIT {limit:UInt32}`,
    { ...sessions.params, limit },
  );
}

/** By the number of the project. */
export async function readProjectSessions(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Parameters<TelemetrySummaries['countProjectSessions']>[1],
): Promise<ReadonlyMap<number, number>> {
  const sessions = lastOfSessions(scope, { ...query, releases: null });
  const rows = await database.query<{ project_id: number; sessions: number }>(
    `SELECT project_id, sum(last.1 + last.2 + last.3 + last.4 + last.5) AS sessions
     FROM (${sessions.sql}) GROUP BY project_id`,
    sessions.params,
  );
  return new Map(rows.map((row) => [row.project_id, row.sessions]));
}

/** One row for each session, or for each aggregated bucket. */
function lastOfSessions(
  scope: EventScope,
  { range, environments, releases }: Omit<Parameters<TelemetrySummaries['countReleaseHealth']>[1], 'limit'>,
): SqlPart {
  const begun: SqlPart = {
    sql: `started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`,
    params: { fromMs: Math.trunc(range.fromMs), toMs: Math.trunc(range.toMs) },
  };
  let conditions = both(inScope(scope), begun);
  for (const [column, values] of [
    ['environment', environments.length === 0 ? null : environments],
    ['release', releases],
  ] as const) {
    if (values === null) continue;
    const named = listParam(`${column}s`, 'String', values);
    conditions = both(conditions, { sql: `${column} IN ${named.sql}`, params: named.params });
  }
  return {
    sql: `SELECT project_id, release,
        max(distinct_id_hash) AS user,
        argMax((exited, errored, crashed, abnormal, unhandled), (seq, occurred_at, received_at)) AS last
      FROM sessions
      WHERE ${conditions.sql}
      GROUP BY project_id, release, if(session_id = '', toString(row_id), session_id)`,
    params: conditions.params,
  };
}
