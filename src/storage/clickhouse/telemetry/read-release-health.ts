import type { EventScope } from '#storage/ports/events.ts';
import type { ReleaseHealth, TelemetrySummaries } from '#storage/ports/telemetry-summaries.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { listParam } from '../list-param.ts';
import { inScope } from './in-scope.ts';

/** The inner query leaves one row for each session, or for each aggregated bucket; the outer one adds them up. */
export async function readReleaseHealth(
  database: ClickhouseDatabase,
  scope: EventScope,
  { range, environments, limit }: Parameters<TelemetrySummaries['countReleaseHealth']>[1],
): Promise<readonly ReleaseHealth[]> {
  const visible = inScope(scope);
  const named = listParam('environments', 'String', environments);
  const rows = await database.query<HealthCells>(
    `SELECT project_id, release,
       sum(last.1) AS exited, sum(last.2) AS errored, sum(last.3) AS crashed,
       sum(last.4) AS abnormal, sum(last.5) AS unhandled,
       uniqExactIf(user, user != '') AS users,
       uniqExactIf(user, user != '' AND last.3 > 0) AS crashed_users
     FROM (
       SELECT project_id, release,
         max(distinct_id_hash) AS user,
         argMax((exited, errored, crashed, abnormal, unhandled), (seq, occurred_at, received_at)) AS last
       FROM sessions
       WHERE ${visible.sql}
         AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
         AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
         ${environments.length === 0 ? '' : `AND environment IN ${named.sql}`}
       GROUP BY project_id, release, if(session_id = '', toString(row_id), session_id)
     )
     GROUP BY project_id, release
     ORDER BY exited + errored + crashed + abnormal + unhandled DESC, release, project_id
     LIMIT {releases:UInt32}`,
    {
      ...visible.params,
      fromMs: Math.trunc(range.fromMs),
      toMs: Math.trunc(range.toMs),
      releases: limit,
      ...named.params,
    },
  );
  return rows.map(({ project_id, crashed_users, ...counts }) => ({
    ...counts,
    projectId: project_id,
    crashedUsers: crashed_users,
  }));
}

type HealthCells = Omit<ReleaseHealth, 'projectId' | 'crashedUsers'> & {
  project_id: number;
  crashed_users: number;
};
