import { DAY_MS } from '#lib/time.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { EventArrival } from '#storage/ports/events.ts';
import type { RegroupCursor, RegroupEvents, StoredForGrouping } from '#storage/ports/regroup-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { NO_BODY } from '../event-row.ts';
import { hex, listParam, type SqlPart } from '../query-params.ts';

/** Rows of a block: as many as make about so many bytes, since an event has 1 KB or 1 MB. */
const BLOCK = { rowsFirst: 256, rowsMin: 16, rowsMax: 2_048, bytes: 16 * 1024 * 1024 } as const;

export type GroupingRow = Omit<StoredForGrouping, 'payload'> & { payload: string };

export const GROUPING_COLUMNS = `event_id AS eventId, grouping_hash AS hash,
  toUnixTimestamp64Milli(occurred_at) AS occurredAt, toUnixTimestamp64Milli(received_at) AS receivedAt, payload`;

export const IN_ARRIVAL = `received_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  AND received_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;

const IS_AFTER = `(grouping_hash, occurred_at, events.event_id) >
  ({hash:FixedString(32)}, fromUnixTimestamp64Milli({occurredAt:Int64}, 'UTC'), {eventId:FixedString(32)})`;

export const toGrouping = (row: GroupingRow): StoredForGrouping => ({
  ...row,
  payload: row.payload === NO_BODY ? null : (JSON.parse(row.payload) as NormalizedEvent),
});

export function readDay(
  database: ClickhouseDatabase,
  ...[organizationId, projectId, day, { sinceMs, after }]: Parameters<RegroupEvents['readDay']>
): AsyncGenerator<readonly StoredForGrouping[]> {
  return readBlocks(
    database,
    GROUPING_COLUMNS,
    { organizationId, projectId, day, sinceMs },
    ANY_EVENT,
    after,
    toGrouping,
  );
}

const ANY_EVENT: SqlPart = { sql: '1', params: {} };

/** What tells rows of events apart, and how large they are. */
type BlockRow = Pick<GroupingRow, 'eventId' | 'hash' | 'occurredAt' | 'payload'>;

/**
 * Events of a day that meet `where`, by (hash, time, id), each once, after a place. A block is asked for while the one
 * before is worked on. The columns are at least those of a BlockRow.
 */
export async function* readBlocks<Row extends BlockRow, Event>(
  database: ClickhouseDatabase,
  columns: string,
  place: { organizationId: number; projectId: number; day: string; sinceMs: number | null },
  where: SqlPart,
  after: RegroupCursor['after'],
  toEvent: (row: Row) => Event,
): AsyncGenerator<readonly Event[]> {
  const { organizationId, projectId, day, sinceMs } = place;
  const fromMs = Math.max(Date.parse(day), sinceMs ?? 0);
  const toMs = Date.parse(day) + DAY_MS;
  const read = (limit: number, last: RegroupCursor['after']) =>
    database.query<Row>(
      `SELECT ${columns} FROM events
       WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64} AND ${IN_ARRIVAL}
         AND ${where.sql}
         ${last ? `AND grouping_hash >= {hash:FixedString(32)} AND ${IS_AFTER}` : ''}
       ORDER BY project_id, grouping_hash, occurred_at, events.event_id LIMIT {limit:UInt32}`,
      {
        ...where.params,
        organizationId,
        projectId,
        fromMs,
        toMs,
        limit,
        hash: last?.hash,
        occurredAt: last?.occurredAt,
        eventId: last?.eventId,
      },
    );
  let limit: number = BLOCK.rowsFirst;
  let coming: Promise<Row[]> | null = read(limit, after);
  while (coming) {
    const rows: Row[] = await coming;
    const last = rows.at(-1);
    if (!last) return;
    const isFull = rows.length === limit;
    const bytes = rows.reduce((sum, row) => sum + row.payload.length, 0);
    limit = Math.floor(BLOCK.bytes / Math.max(1, bytes / rows.length));
    limit = Math.min(BLOCK.rowsMax, Math.max(BLOCK.rowsMin, limit));
    const next = isFull ? read(limit, last) : null;
    // Whoever stops reading does not wait for the block on its way, and its failure is nobody's.
    next?.catch(() => {});
    coming = next;
    yield withoutCopies(rows).map(toEvent);
  }
}

/** Until parts are merged, copies of an event lie beside each other. */
const withoutCopies = <Row extends BlockRow>(rows: readonly Row[]): readonly Row[] =>
  rows.filter((row, index) => {
    const before = rows[index - 1];
    return before?.eventId !== row.eventId || before.hash !== row.hash;
  });

/** Events looked up in one query. */
const EVENTS_PER_QUERY_MAX = 5_000;

/** Asked after a crash only, of events of the last moments: their days are read, by narrow columns. */
export async function findFormerHashes(
  database: ClickhouseDatabase,
  arrivals: readonly EventArrival[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (let start = 0; start < arrivals.length; start += EVENTS_PER_QUERY_MAX) {
    const part = arrivals.slice(start, start + EVENTS_PER_QUERY_MAX);
    const times = part.map(({ receivedAt }) => Math.trunc(receivedAt));
    const ids = listParam(
      'ids',
      'String',
      part.map(({ eventId }) => eventId),
    );
    const projects = listParam('projects', 'UInt64', [...new Set(part.map(({ projectId }) => projectId))]);
    const params = {
      ...ids.params,
      ...projects.params,
      fromMs: Math.min(...times),
      toMs: Math.max(...times) + 1,
    };
    const rows = await database.query<{ project_id: number; event_id: string; hash: string }>(
      // What was moved meanwhile is counted where it was: the move counts it where it went.
      `SELECT project_id, id AS event_id, argMin(hash, rank) AS hash FROM (
         SELECT project_id, toString(events.event_id) AS id, toString(grouping_hash) AS hash, 18446744073709551615 AS rank
         FROM events
         WHERE project_id IN ${projects.sql} AND ${IN_ARRIVAL} AND events.event_id IN ${ids.sql}
         UNION ALL
         SELECT project_id, ${hex('regroup_moves.event_id')} AS id,
           ${hex('from_hash')} AS hash, change_id AS rank
         FROM regroup_moves
         WHERE project_id IN ${projects.sql}
           AND received_on >= toDate(fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'))
           AND received_on <= toDate(fromUnixTimestamp64Milli({toMs:Int64}, 'UTC'))
           AND ${hex('regroup_moves.event_id')} IN ${ids.sql}
       )
       GROUP BY project_id, id HAVING max(rank) = 18446744073709551615`,
      params,
    );
    for (const row of rows) hashes.set(`${row.project_id}:${row.event_id}`, row.hash);
  }
  return hashes;
}
