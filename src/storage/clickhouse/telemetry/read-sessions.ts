import type { EventScope } from '#storage/ports/events.ts';
import type { SessionGroup, SessionKey, TelemetrySummaries } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { inScope } from '../query-params.ts';
import { matchEvents } from '../search/match-events.ts';
import { SEARCH_SETTINGS, searching } from '../search/search-limits.ts';

const KEY_SQL: Readonly<Record<SessionKey, string>> = {
  project: 'toString(project_id)',
  release: 'toString(release)',
  environment: 'toString(environment)',
};

/** Of each session the last update counts, as in the health of releases. */
export async function readSessions(
  database: ClickhouseDatabase,
  scope: EventScope,
  { range, expression, groupBy, groups, bucketMs, limit }: Parameters<TelemetrySummaries['countSessions']>[1],
): Promise<readonly SessionGroup[]> {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  const keys = `CAST([${groupBy.map((key) => KEY_SQL[key]).join(', ')}], 'Array(String)')`;
  const bucket = bucketMs === null ? '0' : 'intDiv(ms - {fromMs:Int64}, {bucketMs:Int64})';
  return await searching(
    database.query<SessionGroup>(
      `SELECT ${keys} AS keys, toUInt32(${bucket}) AS bucket,
         sum(last.1) AS exited, sum(last.2) AS errored, sum(last.3) AS crashed,
         sum(last.4) AS abnormal, sum(last.5) AS unhandled,
         uniqExactIf(user, user != '') AS users,
         uniqExactIf(user, user != '' AND last.3 > 0) AS crashedUsers,
         uniqExactIf(user, user != '' AND startsWith(mechanism, 'anr_')) AS hungUsers,
         uniqExactIf(user, user != '' AND mechanism = 'anr_foreground') AS hungForegroundUsers
       FROM (
         SELECT project_id, release, max(environment) AS environment, max(distinct_id_hash) AS user,
           toUnixTimestamp64Milli(min(started_at)) AS ms,
           argMax((exited, errored, crashed, abnormal, unhandled), (seq, occurred_at, received_at)) AS last,
           toString(argMax(abnormal_mechanism, (seq, occurred_at, received_at))) AS mechanism
         FROM (
           SELECT * FROM sessions
           WHERE ${visible.sql}
             AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
             AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
             AND ${matching.sql}
         )
         GROUP BY project_id, release, if(session_id = '', toString(row_id), session_id)
       )
       ${groups === null ? '' : `WHERE has({groups:Array(Array(String))}, ${keys})`}
       GROUP BY keys, bucket
       ORDER BY exited + errored + crashed + abnormal + unhandled DESC, keys, bucket
       LIMIT {limit:UInt32} ${SEARCH_SETTINGS}`,
      {
        ...visible.params,
        ...matching.params,
        fromMs: Math.trunc(range.fromMs),
        toMs: Math.trunc(range.toMs),
        limit,
        ...(bucketMs !== null && { bucketMs }),
        ...(groups !== null && { groups }),
      },
    ),
  );
}
