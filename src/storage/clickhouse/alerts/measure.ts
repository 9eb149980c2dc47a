import type { AlertEventStore } from '#storage/ports/alert-events.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IS_ERROR, inScope, type SqlPart } from '../query-params.ts';
import { matchEvents } from '../search/match-events.ts';
import { SEARCH_SETTINGS, searching } from '../search/search-limits.ts';
import { NOT_FAILED } from '../span-failures.ts';

type Asked = Parameters<AlertEventStore['measure']>[1];

/** What is counted in a bucket: a share has a whole, which may be nothing. */
type MeasureRow = { bucket: number; part: number; whole: number; sessions?: number };

export async function measure(
  database: ClickhouseDatabase,
  scope: EventScope,
  asked: Asked,
): Promise<readonly (number | null)[]> {
  const { measure: name, range, bucketMs, minimumSessions } = asked;
  const isCount = name === 'events' || name === 'users';
  const length = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  const values = Array<number | null>(length).fill(isCount ? 0 : null);
  if (scope.projectIds.length === 0) return values;
  const { sql, params } = SOURCES[name](scope, asked);
  const rows = await searching(
    database.query<MeasureRow>(`${sql} GROUP BY bucket ${SEARCH_SETTINGS}`, {
      ...params,
      fromMs: Math.trunc(range.fromMs),
      toMs: Math.trunc(range.toMs),
      bucketMs,
    }),
  );
  for (const { bucket, part, whole, sessions = 0 } of rows) {
    if (isCount) values[bucket] = part;
    else if (whole > 0 && sessions >= minimumSessions) values[bucket] = (100 * part) / whole;
  }
  return values;
}

type Source = (scope: EventScope, asked: Asked) => SqlPart;

const SOURCES: Readonly<Record<Asked['measure'], Source>> = {
  // Events may lie twice in the table until parts are merged.
  events: (scope, asked) => fromEvents(scope, asked, 'uniqExact(cityHash64(project_id, event_id))'),
  users: (scope, asked) => fromEvents(scope, asked, 'uniqExactIf(user_hash, user_hash != 0)'),
  crash_free_sessions: (scope, asked) => fromSessions(scope, asked, 'sum(last.1 - last.2)', 'sum(last.1)'),
  crash_free_users: (scope, asked) =>
    fromSessions(
      scope,
      asked,
      "uniqExactIf(user, user != '') - uniqExactIf(user, user != '' AND last.2 > 0)",
      "uniqExactIf(user, user != '')",
    ),
  failure_rate: fromTransactions,
};

const bucketOf = (ms: string): string => `intDiv(${ms} - {fromMs:Int64}, {bucketMs:Int64})`;

const moment = (ms: string): string => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
const inRange = (column: string): string =>
  `${column} >= ${moment('{fromMs:Int64}')} AND ${column} < ${moment('{toMs:Int64}')}`;

function fromEvents(scope: EventScope, { expression }: Asked, count: string): SqlPart {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  return {
    sql: `SELECT ${bucketOf('toUnixTimestamp64Milli(occurred_at)')} AS bucket, ${count} AS part, 0 AS whole
      FROM events
      WHERE ${visible.sql} AND ${inRange('occurred_at')} AND ${IS_ERROR} AND ${matching.sql}`,
    params: { ...visible.params, ...matching.params },
  };
}

/** Of each session the last update counts, as in the health of releases: sessions, and those that crashed. */
function fromSessions(scope: EventScope, { expression }: Asked, part: string, whole: string): SqlPart {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  return {
    sql: `SELECT ${bucketOf('ms')} AS bucket, ${part} AS part, ${whole} AS whole, sum(last.1) AS sessions
      FROM (
        SELECT toUnixTimestamp64Milli(min(started_at)) AS ms, max(distinct_id_hash) AS user,
          argMax((exited + errored + crashed + abnormal + unhandled, crashed), (seq, occurred_at, received_at)) AS last
        FROM sessions WHERE ${visible.sql} AND ${inRange('started_at')} AND ${matching.sql}
        GROUP BY project_id, release, if(session_id = '', toString(row_id), session_id)
      )`,
    params: { ...visible.params, ...matching.params },
  };
}

/** Under the names that searches know, as far as transactions have them. */
function fromTransactions(scope: EventScope, { expression }: Asked): SqlPart {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  return {
    sql: `SELECT ${bucketOf('toUnixTimestamp64Milli(occurred_at)')} AS bucket,
        uniqExactIf(event_id, status NOT IN ${NOT_FAILED}) AS part, uniqExact(event_id) AS whole
      FROM (
        SELECT project_id, event_id, status, name AS transaction, release, dist, environment, platform, trace_id, user_id,
          user_email, user_username, user_ip, sdk_name, sdk_version, tags,
          toDateTime64(started_at, 3, 'UTC') AS occurred_at
        FROM transactions WHERE ${visible.sql} AND ${inRange('started_at')}
      )
      WHERE ${matching.sql}`,
    params: { ...visible.params, ...matching.params },
  };
}
