import type { DigestedProfile } from '#protocol/telemetry.ts';
import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { ProfiledTransaction, ProfileQuery } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope, listParam } from '../query-params.ts';
import type { Cells } from './columns.ts';
import { profiledTransactions } from './read-profiles.ts';
import { profiles } from './tables.ts';

/** SDKs send the thread as text, OpenTelemetry as a number. */
const THREAD_ID = `if(mapContains(attributes_number, 'thread.id'),
  toString(toInt64(attributes_number['thread.id'])), attributes_text['thread.id'])`;

/** Ids are random, as those of profiles are. */
export async function readProfiledTransactions(
  database: ClickhouseDatabase,
  scope: EventScope,
  { limit, ...query }: ProfileQuery & { transaction: string; limit: number },
): Promise<{ rows: readonly ProfiledTransaction[]; total: number }> {
  const { sql, params } = profiledTransactions(scope, query);
  const [rows, [count]] = await Promise.all([
    database.query<TransactionRow>(
      `SELECT project_id AS projectId, profiler_id AS profilerId, ${THREAD_ID} AS threadId,
         toUnixTimestamp64Micro(started_at) AS startedAtUs, duration_us AS durationUs
       FROM spans WHERE ${sql}
       ORDER BY cityHash64(span_id), span_id
       LIMIT 1 BY project_id, span_id
       LIMIT {limit:UInt32}`,
      { ...params, limit },
    ),
    database.query<{ total: number }>(
      `SELECT uniqExact(project_id, span_id) AS total FROM spans WHERE ${sql}`,
      params,
    ),
  ]);
  return {
    rows: rows.map(({ threadId, durationUs, ...row }) => ({
      ...row,
      threadId: threadId || null,
      endedAtUs: row.startedAtUs + durationUs,
    })),
    total: count?.total ?? 0,
  };
}

/** An absent thread is an empty text. */
type TransactionRow = Omit<ProfiledTransaction, 'threadId' | 'endedAtUs'> & {
  threadId: string;
  durationUs: number;
};

export async function readChunkSample(
  database: ClickhouseDatabase,
  scope: EventScope,
  { stretches, limit }: { stretches: readonly ({ profilerId: string } & TimeRange)[]; limit: number },
): Promise<readonly DigestedProfile[]> {
  const ids = listParam(
    'profilerIds',
    'String',
    stretches.map(({ profilerId }) => profilerId),
  );
  const begins = listParam(
    'begins',
    'Int64',
    stretches.map(({ fromMs }) => Math.trunc(fromMs)),
  );
  const ends = listParam(
    'ends',
    'Int64',
    stretches.map(({ toMs }) => Math.ceil(toMs)),
  );
  const { sql, params } = both(inScope(scope), {
    sql: `kind = 'profile_chunk' AND profiler_id IN ${ids.sql}
      AND occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
      AND arrayExists((id, begin, end) -> profiler_id = id
        AND toUnixTimestamp64Milli(occurred_at) >= begin AND toUnixTimestamp64Milli(occurred_at) < end,
        ${ids.sql}, ${begins.sql}, ${ends.sql})`,
    params: {
      ...ids.params,
      ...begins.params,
      ...ends.params,
      fromMs: Math.trunc(Math.min(...stretches.map(({ fromMs }) => fromMs))),
      toMs: Math.ceil(Math.max(...stretches.map(({ toMs }) => toMs))),
    },
  });
  const rows = await database.query<Cells>(
    `SELECT ${profiles.select} FROM profiles WHERE ${sql}
     ORDER BY cityHash64(profile_id), profile_id
     LIMIT 1 BY project_id, profile_id
     LIMIT {limit:UInt32}`,
    { ...params, limit },
  );
  return rows.map(profiles.fromCells);
}
