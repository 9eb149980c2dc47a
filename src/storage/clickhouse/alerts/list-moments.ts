import { isErrataError } from '#lib/errors.ts';
import type { AlertEventStore, EventMoment, Moments } from '#storage/ports/alert-events.ts';
import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { hex, IN_RANGE, inScope, type SqlPart } from '../query-params.ts';
import { searching } from '../search/search-limits.ts';

/** Memory of one query of a preview: digest needs the rest. */
const MEMORY_BYTES_MAX = 200_000_000;

export async function countSteps(
  database: ClickhouseDatabase,
  scope: EventScope,
  { range, stepMs, environment, above, timeMs }: Parameters<AlertEventStore['countSteps']>[1],
): Promise<number | null> {
  const rows = seenEvents(scope, { range, environment, above, part: EVERYTHING });
  const found = await trying<{ steps: number }>(
    database,
    `SELECT uniqCombined64(14)(project_id, hash, intDiv(ms - {fromMs:Int64}, {stepMs:Int64})) AS steps FROM (${rows.sql})`,
    { ...rows.params, stepMs },
    timeMs,
  );
  return found ? (found[0]?.steps ?? 0) : null;
}

export async function listMoments(
  database: ClickhouseDatabase,
  scope: EventScope,
  { range, stepMs, environment, oneOf, blockMs, timeMs }: Parameters<AlertEventStore['listMoments']>[1],
  limit: number,
): Promise<Moments> {
  const block = 'intDiv(toUnixTimestamp64Milli(occurred_at) - {fromMs:Int64}, {blockMs:Int64})';
  const part = partOf(`cityHash64(grouping_hash, ${block})`, oneOf, { blockMs });
  const rows = seenEvents(scope, { range, environment, above: 0, part });
  return await ask(
    database,
    `SELECT project_id, hash, min(ms) AS at, argMin(id, ms) AS event
     FROM (${rows.sql}) GROUP BY project_id, hash, intDiv(ms - {fromMs:Int64}, {stepMs:Int64})
     ORDER BY at DESC LIMIT {rows:UInt32}`,
    { ...rows.params, stepMs },
    limit,
    timeMs,
  );
}

export async function listCrowded(
  database: ClickhouseDatabase,
  scope: EventScope,
  asked: Parameters<AlertEventStore['listCrowded']>[1],
  limit: number,
): Promise<Moments> {
  const { range, windowMs, stepMs, above, environment, oneOf } = asked;
  const since = { fromMs: range.fromMs - windowMs, toMs: range.toMs };
  const of = partOf('cityHash64(grouping_hash)', oneOf);
  const rows = seenEvents(scope, { range: since, environment, above, part: of });
  // What two steps have is no sum where the same user may be in both.
  const [part, whole] =
    asked.of === 'users'
      ? ['uniqCombined64IfState(14)(who, who != 0)', 'uniqCombined64IfMerge(14)(part)']
      : ['count()', 'sum(part)'];
  // A step counts in each window that it lies in; windows begin one step after another.
  return await ask(
    database,
    `SELECT project_id, hash, max(last) AS at, argMax(last_id, last) AS event
     FROM (
       SELECT project_id, hash, step - arrayJoin(range({steps:UInt32})) AS slot, last, last_id, part
       FROM (
         SELECT project_id, hash, intDiv(ms - {fromMs:Int64}, {stepMs:Int64}) AS step, max(ms) AS last,
           argMax(id, ms) AS last_id, ${part} AS part
         FROM (${rows.sql}) GROUP BY project_id, hash, step
       )
     )
     GROUP BY project_id, hash, slot HAVING ${whole} > {above:Float64} AND at >= {firstMs:Int64}
     ORDER BY at DESC LIMIT {rows:UInt32}`,
    {
      ...rows.params,
      stepMs,
      steps: Math.max(1, Math.round(windowMs / stepMs)),
      firstMs: Math.trunc(range.fromMs),
    },
    limit,
    asked.timeMs,
  );
}

type Seen = { range: TimeRange; environment: string | null; above: number; part: SqlPart };

const EVERYTHING: SqlPart = { sql: '', params: {} };

/** Of what a number tells apart, one in `oneOf`. */
const partOf = (number: string, oneOf: number, params: SqlPart['params'] = {}): SqlPart =>
  oneOf > 1 ? { sql: `AND ${number} % {oneOf:UInt64} = 0`, params: { ...params, oneOf } } : EVERYTHING;

/**
 * The index says which events there are, and of which environment only the events themselves. Of hashes with more than
 * `above` of them.
 */
function seenEvents(scope: EventScope, { range, environment, above, part }: Seen): SqlPart {
  const visible = inScope(scope);
  const isAny = environment === null;
  const source = `FROM ${isAny ? 'event_index' : 'events'}
      WHERE ${visible.sql} AND ${IN_RANGE} ${isAny ? '' : 'AND environment = {environment:String}'} ${part.sql}`;
  const often = `AND grouping_hash IN (
        SELECT grouping_hash ${source} GROUP BY grouping_hash HAVING count() > {above:Float64})`;
  return {
    sql: `SELECT project_id, ${isAny ? 'grouping_hash' : 'toString(grouping_hash)'} AS hash,
        toUnixTimestamp64Milli(occurred_at) AS ms, ${isAny ? 'event_id' : 'toString(event_id)'} AS id,
        user_hash AS who
      ${source} ${above > 0 ? often : ''}`,
    params: {
      ...visible.params,
      fromMs: Math.trunc(range.fromMs),
      toMs: Math.trunc(range.toMs),
      above,
      ...part.params,
      ...(!isAny && { environment }),
    },
  };
}

async function ask(
  database: ClickhouseDatabase,
  sql: string,
  params: SqlPart['params'],
  limit: number,
  timeMs: number,
): Promise<Moments> {
  const digits = (column: string) => ('environment' in params ? column : hex(column));
  const rows = await trying<EventMoment>(
    database,
    `SELECT project_id AS projectId, ${digits('hash')} AS groupingHash, ${digits('event')} AS eventId, at
     FROM (${sql}) ORDER BY at DESC`,
    { ...params, rows: limit + 1 },
    timeMs,
  );
  if (!rows) return { moments: [], cut: 'time' };
  return { moments: rows.slice(0, limit), cut: rows.length > limit ? 'limit' : null };
}

/** null when there is no time for it, or too little memory. */
async function trying<Row>(
  database: ClickhouseDatabase,
  sql: string,
  params: SqlPart['params'],
  timeMs: number,
): Promise<readonly Row[] | null> {
  if (timeMs <= 0) return null;
  const settings = `SETTINGS max_execution_time = ${(timeMs / 1_000).toFixed(3)}, max_memory_usage = ${MEMORY_BYTES_MAX}`;
  try {
    return await searching(database.query<Row>(`${sql} ${settings}`, params));
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return null;
    throw error;
  }
}
