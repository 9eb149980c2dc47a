import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { EventScope, EventSummary } from '#storage/ports/events.ts';
import type {
  ReplayFilter,
  ReplaySort,
  ReplaySummary,
  SummaryPage,
  TelemetrySummaries,
} from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { SUMMARY_COLUMNS, toSummary } from '../event-row.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';
import type { Cells } from './columns.ts';

const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS] as const;
/** How far apart the segments of a replay are searched; SDKs end a replay after an hour. */
const REPLAY_MS_MAX = DAY_MS;
/** Segments whose URLs and IDs are collected for one replay. */
const SEGMENTS_MAX = 1_000;

type Query = Parameters<TelemetrySummaries['listReplays']>[1];

/** A replay stands where its first segment does, unless another order is asked for. */
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
    next: places.length > query.limit ? { at: last.place, id: last.replay_id } : null,
  };
}

type Place = { project_id: number; replay_id: string; place: number };

async function findPlaces(database: ClickhouseDatabase, visible: SqlPart, query: Query): Promise<Place[]> {
  const { before, range, limit, sort = 'started' } = query;
  // Only what is ordered by time can be found in the newest days alone.
  if (sort !== 'started') return readPlaces(database, visible, query, range?.fromMs ?? null);
  const newestMs = Math.min(before?.at ?? Date.now(), range?.toMs ?? Date.now());
  for (const lookBackMs of LOOK_BACK_MS) {
    const fromMs = newestMs - lookBackMs;
    if (range && range.fromMs >= fromMs) break;
    const places = await readPlaces(database, visible, query, fromMs);
    if (places.length > limit) return places;
  }
  return readPlaces(database, visible, query, range?.fromMs ?? null);
}

/** As it is shown: from where its first segment begins, which is sent later. */
const DURATION = 'last_ms - began_ms';

/** Places are whole numbers. Joined clicks are those of the whole replay, on each of its rows. */
const PLACES: Readonly<Record<ReplaySort, string>> = {
  started: 'first_ms',
  duration: DURATION,
  errors: 'errors',
  rageClicks: 'any(clicks.rage)',
  deadClicks: 'any(clicks.dead)',
};

function readPlaces(
  database: ClickhouseDatabase,
  visible: SqlPart,
  { before, range, limit, sort = 'started', filter }: Query,
  fromMs: number | null,
): Promise<Place[]> {
  const isByTime = sort === 'started';
  const matching = filter ? filterReplays(filter) : [];
  const where = [
    visible.sql,
    ...(fromMs === null ? [] : ["occurred_at >= fromUnixTimestamp64Milli({earliestMs:Int64}, 'UTC')"]),
    // Later segments of earlier replays count for what replays are filtered by.
    ...(before && isByTime ? ["occurred_at <= fromUnixTimestamp64Milli({latestMs:Int64}, 'UTC')"] : []),
  ];
  const having = [
    ...(fromMs === null ? [] : ['first_ms >= {fromMs:Int64}']),
    ...(range ? ['first_ms < {toMs:Int64}'] : []),
    ...matching.map(({ sql }) => sql),
    ...(before
      ? ['(place < {beforeAt:Int64} OR (place = {beforeAt:Int64} AND replay_id < {beforeId:String}))']
      : []),
  ];
  return database.query<Place>(
    `SELECT project_id, replay_id, toUnixTimestamp64Milli(min(occurred_at)) AS first_ms,
       toUnixTimestamp64Milli(min(coalesce(started_at, occurred_at))) AS began_ms,
       toUnixTimestamp64Milli(max(occurred_at)) AS last_ms,
       length(arrayDistinct(arrayFlatten(groupArray(${SEGMENTS_MAX})(error_ids)))) AS errors,
       toInt64(${PLACES[sort]}) AS place
     FROM replays ${withClicks(visible, sort, filter)}
     WHERE ${where.join(' AND ')}
     GROUP BY project_id, replay_id
     ${having.length === 0 ? '' : `HAVING ${having.join(' AND ')}`}
     ORDER BY place DESC, replay_id DESC
     LIMIT {rows:UInt32}`,
    {
      ...visible.params,
      ...Object.assign({}, ...matching.map(({ params }) => params)),
      rows: limit + 1,
      ...(fromMs === null
        ? {}
        : { fromMs: Math.trunc(fromMs), earliestMs: Math.trunc(fromMs) - REPLAY_MS_MAX }),
      ...(range ? { toMs: Math.trunc(range.toMs) } : {}),
      ...(before
        ? {
            beforeAt: Math.trunc(before.at),
            beforeId: before.id,
            latestMs: Math.trunc(before.at) + REPLAY_MS_MAX,
          }
        : {}),
    },
  );
}

function withClicks(visible: SqlPart, sort: ReplaySort, filter: ReplayFilter | undefined): string {
  const isNeeded = [sort, ...(filter?.having ?? [])].some((each) => each.endsWith('Clicks'));
  return isNeeded ? `LEFT JOIN (${clicksOf(visible)}) AS clicks USING (project_id, replay_id)` : '';
}

/** Most segments have none, and are not read. */
const clicksOf = (visible: SqlPart): string =>
  `SELECT project_id, replay_id, sum(dead_of_segment) AS dead, sum(rage_of_segment) AS rage
   FROM (SELECT project_id, replay_id, max(dead_clicks) AS dead_of_segment, max(rage_clicks) AS rage_of_segment
     FROM replay_segments WHERE ${visible.sql} AND (dead_clicks > 0 OR rage_clicks > 0)
     GROUP BY project_id, replay_id, segment_id)
   GROUP BY project_id, replay_id`;

/** What a search looks through. */
const SEARCHED = ['user_id', 'user_email', 'user_username', 'user_ip', 'browser_name'];

/** Conditions on replays whose segments are put together. */
function filterReplays({ text, environments, having, durationMsMin }: ReplayFilter): readonly SqlPart[] {
  const contains = (value: string) => `positionCaseInsensitiveUTF8(${value}, {text:String}) > 0`;
  const parts: SqlPart[] = [];
  if (text !== '') {
    const found = [
      'replay_id = lower({text:String})',
      ...SEARCHED.map(contains),
      `arrayExists(url -> ${contains('url')}, urls)`,
    ];
    parts.push({ sql: `countIf(${found.join(' OR ')}) > 0`, params: { text } });
  }
  if (environments.length > 0) {
    const list = listParam('environments', 'String', environments);
    parts.push({ sql: `countIf(environment IN ${list.sql}) > 0`, params: list.params });
  }
  for (const each of having) parts.push({ sql: `${PLACES[each]} > 0`, params: {} });
  if (durationMsMin > 0) {
    parts.push({
      sql: `${DURATION} >= {durationMsMin:Int64}`,
      params: { durationMsMin: Math.trunc(durationMsMin) },
    });
  }
  return parts;
}

/** Those of the errors that are stored, oldest first. */
export async function readReplayErrors(
  database: ClickhouseDatabase,
  scope: EventScope,
  errorIds: readonly string[],
): Promise<readonly EventSummary[]> {
  const ids = listParam('errorIds', 'FixedString(32)', errorIds);
  const rows = await database.query<Cells>(
    `SELECT ${SUMMARY_COLUMNS} FROM events
     WHERE ${inScope(scope).sql} AND event_id IN ${ids.sql}
     ORDER BY occurred_at, event_id
     LIMIT 1 BY project_id, event_id`,
    { ...inScope(scope).params, ...ids.params },
  );
  return rows.map(toSummary);
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
  const [rows, clicks] = await Promise.all([
    database.query<SummaryRow>(
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
       ${LAST.map(([column, name]) => `argMaxIf(${column}, segment_id, ${column} != '') AS ${name}`).join(', ')}
     FROM replays WHERE ${conditions.sql}
     GROUP BY project_id, replay_id`,
      conditions.params,
    ),
    database.query<ClickRow>(clicksOf(conditions), conditions.params),
  ]);
  const byId = new Map(clicks.map((each) => [`${each.project_id}:${each.replay_id}`, each]));
  return rows.map(({ all_urls, last_environment, last_platform, ...row }) => {
    const own = byId.get(`${row.projectId}:${row.replayId}`);
    return {
      ...row,
      ...Object.fromEntries(LAST.map(([, name]) => [name, row[name] || null])),
      urls: all_urls,
      environment: last_environment || null,
      platform: last_platform,
      deadClicks: own?.dead ?? 0,
      rageClicks: own?.rage ?? 0,
    };
  });
}

type ClickRow = { project_id: number; replay_id: string; dead: number; rage: number };

/** Of these the last segment that has one counts. */
const LAST = [
  ['user_id', 'userId'],
  ['user_email', 'userEmail'],
  ['user_username', 'userUsername'],
  ['user_ip', 'userIp'],
  ['browser_name', 'browserName'],
  ['browser_version', 'browserVersion'],
  ['os_name', 'osName'],
  ['os_version', 'osVersion'],
] as const;

/** The elements of all segments, in the order of the segments. */
const distinctOf = (list: string): string =>
  `arrayDistinct(arrayFlatten(arrayMap(each -> each.2,
     arraySort(each -> each.1, groupArray(${SEGMENTS_MAX})((segment_id, ${list}))))))`;

/** Three names that are columns as well would change the expressions above. */
type SummaryRow = Omit<ReplaySummary, 'urls' | 'environment' | 'platform' | 'deadClicks' | 'rageClicks'> & {
  all_urls: readonly string[];
  last_environment: string;
  last_platform: string;
};
