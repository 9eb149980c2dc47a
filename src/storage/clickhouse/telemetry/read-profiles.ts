import type { DigestedProfile } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ProfiledRelease, ProfileQuery } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';
import type { Cells } from './columns.ts';
import { profiles } from './tables.ts';

/** Ids are random: the smallest hashes of them are of any time, and the same whenever they are read. */
export async function readProfileSample(
  database: ClickhouseDatabase,
  scope: EventScope,
  { limit, ...query }: ProfileQuery & { limit: number },
): Promise<{ rows: readonly DigestedProfile[]; total: number }> {
  const { sql, params } = matching(scope, query);
  const [rows, [count]] = await Promise.all([
    database.query<Cells>(
      `SELECT ${profiles.select} FROM profiles WHERE ${sql}
       ORDER BY cityHash64(profile_id), profile_id
       LIMIT 1 BY project_id, profile_id
       LIMIT {limit:UInt32}`,
      { ...params, limit },
    ),
    database.query<{ total: number }>(
      `SELECT uniqExact(project_id, profile_id) AS total FROM profiles WHERE ${sql}`,
      params,
    ),
  ]);
  return { rows: rows.map(profiles.fromCells), total: count?.total ?? 0 };
}

export async function readProfiledReleases(
  database: ClickhouseDatabase,
  scope: EventScope,
  { limit, ...query }: ProfileQuery & { limit: number },
): Promise<readonly ProfiledRelease[]> {
  const { sql, params } = matching(scope, query);
  // Chunks of continuous profilers name no transaction: transactions name their profiler.
  const ofTransaction = query.transaction === null ? null : profiledTransactions(scope, query);
  const rows = await database.query<{ version: string; total: number; oldest: number }>(
    `SELECT release AS version, uniqExact(project_id, id) AS total, min(began) AS oldest
     FROM (
       SELECT project_id, release, toString(profile_id) AS id, toUnixTimestamp64Milli(occurred_at) AS began
       FROM profiles WHERE ${sql}
       ${
         ofTransaction === null
           ? ''
           : `UNION ALL
       SELECT project_id, release, toString(span_id) AS id, toUnixTimestamp64Milli(started_at) AS began
       FROM spans WHERE ${ofTransaction.sql}`
       }
     )
     GROUP BY version
     ORDER BY oldest DESC, version
     LIMIT {limit:UInt32}`,
    { ...params, ...ofTransaction?.params, limit },
  );
  return rows.map(({ version, total, oldest }) => ({
    release: version === '' ? null : version,
    profiles: total,
    oldestAt: oldest,
  }));
}

const matching = (scope: EventScope, query: ProfileQuery): SqlPart =>
  matchingBy(scope, query, { time: 'occurred_at', name: 'transaction_name' });

/** Transactions that name a continuous profiler, as rows of spans. */
export const profiledTransactions = (scope: EventScope, query: ProfileQuery): SqlPart => {
  const { sql, params } = matchingBy(scope, query, { time: 'started_at', name: 'segment_name' });
  return { sql: `${sql} AND is_segment AND profiler_id != ''`, params };
};

function matchingBy(
  scope: EventScope,
  { range, transaction, environments, release }: ProfileQuery,
  column: { time: string; name: string },
): SqlPart {
  const moment = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
  let conditions = both(inScope(scope), {
    sql: `${column.time} >= ${moment('fromMs')} AND ${column.time} < ${moment('toMs')}`,
    params: { fromMs: Math.trunc(range.fromMs), toMs: Math.trunc(range.toMs) },
  });
  if (transaction !== null) {
    conditions = both(conditions, {
      sql: `${column.name} = {transaction:String}`,
      params: { transaction },
    });
  }
  if (release !== null)
    conditions = both(conditions, { sql: 'release = {release:String}', params: { release } });
  if (environments.length > 0) {
    const list = listParam('environments', 'String', environments);
    conditions = both(conditions, { sql: `environment IN ${list.sql}`, params: list.params });
  }
  return conditions;
}
