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

type SessionRow = Omit<SessionGroup, 'durations'> & {
  /** Sessions whose duration is known; without any, the rest says nothing. */
  timed: number;
  average: number | null;
  longest: number | null;
  quantiles: readonly number[];
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
  const rows = await searching(
    database.query<SessionRow>(
      `SELECT ${keys} AS keys, toUInt32(${bucket}) AS bucket,
         sum(last.1) AS exited, sum(last.2) AS errored, sum(last.3) AS crashed,
         sum(last.4) AS abnormal, sum(last.5) AS unhandled,
         uniqExactIf(user, user != '') AS users,
         uniqExactIf(user, user != '' AND last.3 > 0) AS crashedUsers,
         uniqExactIf(user, user != '' AND startsWith(mechanism, 'anr_')) AS hungUsers,
         uniqExactIf(user, user != '' AND mechanism = 'anr_foreground') AS hungForegroundUsers,
         sumIf(last.1 + last.2 + last.3 + last.4 + last.5, is_aggregate) AS aggregated,
         count(last.6) AS timed, avg(last.6) AS average, max(last.6) AS longest,
         quantiles(0.5, 0.75, 0.9, 0.95, 0.99)(last.6) AS quantiles
       FROM (
         SELECT project_id, release, max(environment) AS environment, max(distinct_id_hash) AS user,
           toUnixTimestamp64Milli(min(started_at)) AS ms,
           argMax(
             (exited, errored, crashed, abnormal, unhandled, if(status = 'exited', duration_seconds, NULL)),
             (seq, occurred_at, received_at)
           ) AS last,
           max(kind) = 'aggregate' AS is_aggregate,
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
  return rows.map(({ timed, average, longest, quantiles, ...group }) => {
    const [p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0] = quantiles;
    const durations = { avg: average ?? 0, max: longest ?? 0, p50, p75, p90, p95, p99 };
    return { ...group, durations: timed === 0 ? null : durations };
  });
}
