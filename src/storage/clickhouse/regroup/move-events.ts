import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { HashPair, RegroupEvents } from '#storage/ports/regroup-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { EVENT_COLUMNS } from '../event-row.ts';
import { hex, listParam, type SqlPart } from '../query-params.ts';
import { RowBinaryWriter } from '../row-binary.ts';
import { indexStoredValues, noteRemoved } from '../search/values/stored-values.ts';

const MOVE_BYTES = 80;
/** Pairs of hashes in one statement. */
const PAIRS_MAX = 2_000;
const PHASES = { apply: 0, undo: 1 } as const;
const MOVE_COLUMNS = [
  'change_id',
  'phase',
  'round',
  'project_id',
  'received_on',
  'from_hash',
  'to_hash',
  'occurred_at',
  'event_id',
];

/** A block of rows is bounded, whatever a day holds; what was stored once before may be stored again. */
export const INSERT_SETTINGS = `SETTINGS insert_deduplicate = 0, max_threads = 1, max_block_size = 512,
  min_insert_block_size_rows = 4096, min_insert_block_size_bytes = 16777216`;
/** 2: also on every replica. */
export const DELETE_SETTINGS = 'SETTINGS lightweight_deletes_sync = 2';

export async function noteMoves(
  database: ClickhouseDatabase,
  ...[place, moves]: Parameters<RegroupEvents['noteMoves']>
): Promise<void> {
  const [first] = moves;
  const last = moves.at(-1);
  if (!first || !last) return;
  const rows = new RowBinaryWriter(moves.length * MOVE_BYTES);
  for (const move of moves) {
    rows.int64(place.changeId);
    rows.uint8(PHASES[place.phase]);
    rows.uint32(place.round);
    rows.int64(place.projectId);
    rows.uint16(Math.floor(move.receivedAt / DAY_MS));
    rows.hex128(move.from);
    rows.hex128(move.to);
    rows.int64(Math.trunc(move.occurredAt));
    rows.hex128(move.eventId);
  }
  // What a former try noted of the same events may lead elsewhere: nothing is to be left out as a copy.
  const token = `${place.changeId}:${place.phase}:${place.round}:${first.eventId}:${last.eventId}:${moves.length}:${Date.now()}`;
  await database.insertBinary('regroup_moves', MOVE_COLUMNS, rows.bytes(), token);
}

export async function listMoveDays(
  database: ClickhouseDatabase,
  ...[changeId, phase, round]: Parameters<RegroupEvents['listMoveDays']>
): Promise<readonly string[]> {
  const rows = await database.query<{ day: string }>(
    `SELECT DISTINCT toString(received_on) AS day FROM regroup_moves
     WHERE change_id = {changeId:UInt64} AND phase = {phase:UInt8} ${round === null ? '' : 'AND round = {round:UInt32}'}
     ORDER BY day DESC`,
    { changeId, phase: PHASES[phase], round },
  );
  return rows.map(({ day }) => day);
}

/**
 * Insert, then delete: after a crash between the two an event is there twice, under both hashes, until the day is moved
 * again. The index follows the events, as everywhere.
 */
export async function moveDay(
  database: ClickhouseDatabase,
  ...[place, day, pairs, isReverse]: Parameters<RegroupEvents['moveDay']>
): Promise<void> {
  const partition = partitionOf(day);
  for (let start = 0; start < pairs.length; start += PAIRS_MAX) {
    const noted = notedMoves(place, day, pairs.slice(start, start + PAIRS_MAX), isReverse);
    const params = { ...noted.params, organizationId: place.organizationId };
    const columns = EVENT_COLUMNS.join(', ');
    const renamed = EVENT_COLUMNS.map((column) =>
      column === 'grouping_hash' ? `${hex('noted.to_number')} AS grouping_hash` : `stored.${column}`,
    ).join(', ');
    const ofDay = `stored.organization_id = {organizationId:UInt64} AND stored.project_id = {projectId:UInt64}
      AND toDate(stored.received_at) = {day:Date}`;
    await database.write(
      `INSERT INTO events (${columns})
       SELECT ${renamed} FROM events AS stored
       INNER JOIN (${noted.sql}) AS noted
         ON stored.event_id = ${hex('noted.id')} AND stored.grouping_hash = ${hex('noted.from_number')}
       WHERE ${ofDay} AND stored.grouping_hash IN (SELECT ${hex('from_number')} FROM (${noted.sql}))
       ${INSERT_SETTINGS}`,
      params,
    );
    await database.write(
      `INSERT INTO event_index (organization_id, project_id, grouping_hash, occurred_at, event_id, user_hash, received_on,
         environment, release, has_names)
       SELECT stored.organization_id, stored.project_id, noted.to_number, stored.occurred_at, stored.event_id,
         stored.user_hash, stored.received_on, stored.environment, stored.release, stored.has_names
       FROM event_index AS stored
       INNER JOIN (${noted.sql}) AS noted
         ON stored.event_id = noted.id AND stored.grouping_hash = noted.from_number
       WHERE stored.organization_id = {organizationId:UInt64} AND stored.project_id = {projectId:UInt64}
         AND stored.received_on = {day:Date}
         AND stored.grouping_hash IN (SELECT from_number FROM (${noted.sql}))
       ${INSERT_SETTINGS}`,
      params,
    );
    const chunk = pairs.slice(start, start + PAIRS_MAX);
    const [from, to] = isReverse ? (['to', 'from'] as const) : (['from', 'to'] as const);
    const gone = storedUnder(
      place,
      day,
      chunk.map((pair) => pair[from]),
    );
    const come = storedUnder(
      place,
      day,
      chunk.map((pair) => pair[to]),
    );
    for (const statement of indexStoredValues(come.sql)) await database.write(statement, come.params);
    await database.write(noteRemoved(gone.sql, Date.now()), gone.params);
    await database.write(
      `DELETE FROM event_index IN PARTITION ${partition.slice(0, 6)} WHERE project_id = {projectId:UInt64} AND received_on = {day:Date}
         AND (grouping_hash, event_id) IN (SELECT from_number, id FROM (${noted.sql}))
       ${DELETE_SETTINGS}`,
      params,
    );
    await database.write(
      `DELETE FROM events IN PARTITION ${partition} WHERE project_id = {projectId:UInt64} AND toDate(received_at) = {day:Date}
         AND (grouping_hash, event_id) IN (
           SELECT CAST(${hex('from_number')} AS FixedString(32)), CAST(${hex('id')} AS FixedString(32))
           FROM (${noted.sql}))
       ${DELETE_SETTINGS}`,
      params,
    );
  }
}

/** Events of a day by their hashes. */
function storedUnder(
  { organizationId, projectId }: Parameters<RegroupEvents['moveDay']>[0],
  day: string,
  hashes: readonly string[],
): SqlPart {
  const list = listParam('hashes', 'FixedString(32)', [...new Set(hashes)]);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
      AND toDate(received_at) = {day:Date} AND grouping_hash IN ${list.sql}`,
    params: { ...list.params, organizationId, projectId, day },
  };
}

/** Of the table of events; its first six digits are that of the index. */
export function partitionOf(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day.slice(0, 20)}" is not a day`);
  return day.replaceAll('-', '');
}

function notedMoves(
  place: Parameters<RegroupEvents['moveDay']>[0],
  day: string,
  pairs: readonly Pick<HashPair, 'from' | 'to'>[],
  isReverse: boolean,
): SqlPart {
  const list = listParam(
    'pairs',
    'Tuple(UInt128, UInt128)',
    pairs.map(({ from, to }) => new TupleParam([BigInt(`0x${from}`), BigInt(`0x${to}`)])),
  );
  const [from, to] = isReverse ? ['to_hash', 'from_hash'] : ['from_hash', 'to_hash'];
  return {
    // Of several notes of an event the last one counts.
    sql: `SELECT ${from} AS from_number, ${to} AS to_number, regroup_moves.event_id AS id FROM regroup_moves FINAL
      WHERE change_id = {changeId:UInt64} AND phase = {phase:UInt8} AND received_on = {day:Date}
        ${place.round === null ? '' : 'AND round = {round:UInt32}'}
        AND (from_hash, to_hash) IN ${list.sql}`,
    params: {
      ...list.params,
      changeId: place.changeId,
      phase: PHASES[place.phase],
      projectId: place.projectId,
      round: place.round,
      day,
    },
  };
}
