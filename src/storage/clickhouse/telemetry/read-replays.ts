import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ReplaySummary, SummaryPage, TelemetrySummaries } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';

const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS] as const;
/** How much earlier the first segment of a replay is searched; SDKs end a replay after an hour. */
const REPLAY_MS_MAX = DAY_MS;
/** Segments whose URLs and IDs are collected for one replay. */
const SEGMENTS_MAX = 1_000;

type Query = Parameters<TelemetrySummaries['listReplays']>[1];

/** A replay stands where its first segment does. */
export async function readReplays(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Query,
): Promise<SummaryPage<ReplaySummary>> {
  const visible = inScope(scope);
  const places = await findPlaces(database, visible, query);
  const page = places.slice(0, query.limit);
  if (page.length === 0) return { rows: [], next: null };
  const ids = listParam(
    'ids',
    'Tuple(UInt64, FixedString(32))',
    page.map(({ project_id, replay_id }) => new TupleParam([project_id, replay_id])),
  );
  const summaries = await summarizeReplays(
    database,
    both(visible, { sql: `(project_id, replay_id) IN ${ids.sql}`, params: ids.params }),
  );
  const byId = new Map(summaries.map((each) => [`${each.projectId}:${each.replayId}`, each]));
  const last = page.at(-1)!;
  return {
    rows: page.flatMap(({ project_id, replay_id }) => byId.get(`${project_id}:${replay_id}`) ?? []),
    next: places.length > query.limit ? { at: last.first_ms, id: last.replay_id } : null,
  };
}

type Place = { project_id: number; replay_id: string; first_ms: number };

async function findPlaces(database: ClickhouseDatabase, visible: SqlPart, query: Query): Promise<Place[]> {
  const { before, range, limit } = query;
  const newestMs = Math.min(before?.at ?? Date.now(), range?.toMs ?? Date.now());
  for (const lookBackMs of LOOK_BACK_MS) {
    const fromMs = newestMs - lookBackMs;
    if (range && range.fromMs >= fromMs) break;
    const places = await readPlaces(database, visible, query, fromMs);
    if (places.length > limit) return places;
  }
  return readPlaces(database, visible, query, range?.fromMs ?? null);
}

function readPlaces(
  database: ClickhouseDatabase,
  visible: SqlPart,
  { before, range, limit }: Query,
  fromMs: number | null,
): Promise<Place[]> {
  const where = [
    visible.sql,
    ...(fromMs === null ? [] : ["occurred_at >= fromUnixTimestamp64Milli({earliestMs:Int64}, 'UTC')"]),
    ...(before ? ["occurred_at <= fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')"] : []),
  ];
  const having = [
    ...(fromMs === null ? [] : ['first_ms >= {fromMs:Int64}']),
    ...(range ? ['first_ms < {toMs:Int64}'] : []),
    ...(before
      ? ['(first_ms < {beforeMs:Int64} OR (first_ms = {beforeMs:Int64} AND replay_id < {beforeId:String}))']
      : []),
  ];
  return database.query<Place>(
    `SELECT project_id, replay_id, toUnixTimestamp64Milli(min(occurred_at)) AS first_ms
     FROM replays WHERE ${where.join(' AND ')}
     GROUP BY project_id, replay_id
     ${having.length === 0 ? '' : `HAVING ${having.join(' AND ')}`}
     ORDER BY first_ms DESC, replay_id DESC
     LIMIT {rows:UInt32}`,
    {
      ...visible.params,
      rows: limit + 1,
      ...(fromMs === null
        ? {}
        : { fromMs: Math.trunc(fromMs), earliestMs: Math.trunc(fromMs) - REPLAY_MS_MAX }),
      ...(range ? { toMs: Math.trunc(range.toMs) } : {}),
      ...(before ? { beforeMs: Math.trunc(before.at), beforeId: before.id } : {}),
    },
  );
}

/** By the errors that segments name; `conditions` may ask for `error_id`. */
export async function readIssueReplays(
  database: ClickhouseDatabase,
  conditions: SqlPart,
  limit: number,
): Promise<readonly string[]> {
  const rows = await database.query<{ replay_id: string }>(
    `SELECT replay_id FROM replays ARRAY JOIN error_ids AS error_id
     WHERE ${conditions.sql}
     GROUP BY replay_id
     ORDER BY max(occurred_at) DESC, replay_id
     LIMIT {rows:UInt32}`,
    { ...conditions.params, rows: limit },
  );
  return rows.map((row) => row.replay_id);
}

/** What the segments of each replay say together. */
export async function summarizeReplays(
  database: ClickhouseDatabase,
  conditions: SqlPart,
): Promise<readonly ReplaySummary[]> {
  const rows = await database.query<SummaryRow>(
    `SELECT project_id AS projectId, replay_id AS replayId,
       toUnixTimestamp64Milli(min(coalesce(started_at, occurred_at))) AS startedAt,
       toUnixTimestamp64Milli(max(occurred_at)) AS finishedAt,
       uniqExact(segment_id) AS segments,
       argMin(replay_type, segment_id) AS replayType,
       ${distinctOf('urls')} AS all_urls,
       ${distinctOf('error_ids')} AS errorIds,
       ${distinctOf('trace_ids')} AS traceIds,
       arrayDistinct(arrayFilter(each -> each != '', ${distinctOf('[toString(release)]')})) AS releases,
       argMaxIf(environment, segment_id, environment != '') AS last_environment,
       argMaxIf(platform, segment_id, platform != '') AS last_platform,
       argMaxIf(user_id, segment_id, user_id != '') AS userId
     FROM replays WHERE ${conditions.sql}
     GROUP BY project_id, replay_id`,
    conditions.params,
  );
  return rows.map(({ all_urls, last_environment, last_platform, ...row }) => ({
    ...row,
    urls: all_urls,
    environment: last_environment || null,
    platform: last_platform,
    userId: row.userId || null,
  }));
}

/** The elements of all segments, in the order of the segments. */
const distinctOf = (list: string): string =>
  `arrayDistinct(arrayFlatten(arrayMap(each -> each.2,
     arraySort(each -> each.1, groupArray(${SEGMENTS_MAX})((segment_id, ${list}))))))`;

/** Three names that are columns as well would change the expressions above. */
type SummaryRow = Omit<ReplaySummary, 'urls' | 'environment' | 'platform'> & {
  all_urls: readonly string[];
  last_environment: string;
  last_platform: string;
};
