import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from '../../client.ts';
import { hex, inScope, type SqlPart } from '../../query-params.ts';
import { Params } from '../params.ts';
import { SEARCH_SETTINGS, searching } from '../search-limits.ts';
import { FORGOTTEN, REMOVED } from './indexed-fields.ts';
import { dayOf, daysOf, MaskSql, startOfDay } from './value-masks.ts';

/** A grouping hash that may have events that match; days are counted since the epoch, UTC. */
export type Candidate = {
  projectId: number;
  hash: string;
  /** The newest day on which it has such an event for certain; null when it is not known to have one. */
  certainOn: number | null;
  /** Days on which it may have one, newest first. */
  days: readonly number[];
};

/**
 * The hashes of which the index knows that an event of the range may match, at most `max`, the ones seen last; null when
 * the index does not narrow the search down.
 */
export async function findCandidates(
  database: ClickhouseDatabase,
  scope: EventScope,
  expression: EventExpression,
  range: TimeRange | null,
  max: number,
): Promise<readonly Candidate[] | null> {
  const indexed = selectCandidates(scope, expression, range, true);
  if (!indexed) return null;
  const rows = await searching(
    database.query<{
      project_id: number;
      hash: string;
      certain_on: number;
      months: readonly [number, number][];
    }>(
      `SELECT project_id, ${hex('grouping_hash')} AS hash, max(certain_day) AS certain_on,
         groupArray((toInt32(month), possible)) AS months
       FROM (${indexed.sql})
       GROUP BY project_id, grouping_hash
       ORDER BY max(newest_day) DESC LIMIT {rows:UInt32} ${SEARCH_SETTINGS}`,
      { ...indexed.params, rows: max },
    ),
  );
  return rows.map((row) => ({
    projectId: row.project_id,
    hash: row.hash,
    certainOn: row.certain_on < 0 ? null : row.certain_on,
    days: row.months.flatMap(([month, bits]) => daysOf(month, bits)).sort((a, b) => b - a),
  }));
}

/**
 * The days on which an event may match, newest first, and the hashes that it may have; hashes are null when there are
 * more than `max`. null when the index does not narrow the search down.
 */
export async function findCandidateDays(
  database: ClickhouseDatabase,
  scope: EventScope,
  expression: EventExpression,
  range: TimeRange | null,
  max: number,
): Promise<{ days: readonly number[]; hashes: readonly string[] | null } | null> {
  const indexed = selectCandidates(scope, expression, range, false);
  if (!indexed) return null;
  const rows = await searching(
    database.query<{ first_day: number; bits: number; hashes: readonly string[] }>(
      `SELECT toInt32(month) AS first_day, groupBitOr(possible) AS bits,
         arrayMap(number -> ${hex('number')}, groupUniqArray({rows:UInt32})(grouping_hash)) AS hashes
       FROM (${indexed.sql})
       GROUP BY month ORDER BY month DESC LIMIT {rows:UInt32} ${SEARCH_SETTINGS}`,
      { ...indexed.params, rows: max + 1 },
    ),
  );
  const hashes = new Set(rows.flatMap((row) => row.hashes));
  return {
    days: rows.flatMap((row) => daysOf(row.first_day, row.bits)),
    hashes: hashes.size > max ? null : [...hashes],
  };
}

/** One row per project, hash and month: sets of days. null when any event may match. */
function selectCandidates(
  scope: EventScope,
  expression: EventExpression,
  range: TimeRange | null,
  withAnyEvent: boolean,
): SqlPart | null {
  const params = new Params('value');
  const masks = new MaskSql(params);
  const { possible, certain, isSelective } = masks.of(expression);
  if (possible === null && (isSelective || !withAnyEvent)) return null;
  const mayMatch = possible ?? masks.anyEvent();
  const removed = `field = ${params.add('String', REMOVED)}`;
  const forgotten = `field = ${params.add('String', FORGOTTEN)}`;
  const sums = [
    `groupBitOrIf(days, ${removed}) AS removed_days`,
    `groupBitOrIf(days, ${forgotten}) AS forgotten_days`,
    ...masks.sums,
  ];
  const visible = inScope(scope);
  const days = daysInRange(range, params);
  const certainDays =
    certain === null ? 'toUInt32(0)' : `bitAnd(bitAnd(${certain}, bitNot(removed_days)), ${days.whole})`;
  return {
    sql: `SELECT project_id, grouping_hash, month,
        toUInt32(bitAnd(bitOr(${mayMatch}, forgotten_days), ${days.touched})) AS possible,
        toUInt32(${certainDays}) AS certain,
        ${newestOf('possible')} AS newest_day, ${newestOf('certain')} AS certain_day
      FROM (
        SELECT project_id, grouping_hash, month, ${sums.join(', ')}
        FROM event_values
        WHERE ${visible.sql} AND ${days.inMonths} AND (${[removed, forgotten, ...masks.rows].join(' OR ')})
        GROUP BY project_id, grouping_hash, month
      )
      WHERE possible != 0`,
    params: { ...visible.params, ...params.values },
  };
}

/** The newest day of a set; -1 for none. */
const newestOf = (bits: string): string =>
  `if(${bits} = 0, toInt32(-1), toInt32(month) + toInt32(floor(log2(greatest(${bits}, 1)))))`;

/** The days of a month that the range touches, and those that lie in it as a whole. */
function daysInRange(
  range: TimeRange | null,
  params: Params,
): { touched: string; whole: string; inMonths: string } {
  if (!range) return { touched: ALL_DAYS, whole: ALL_DAYS, inMonths: '1' };
  const first = dayOf(range.fromMs);
  const last = dayOf(Math.max(range.fromMs, range.toMs - 1));
  const wholeFirst = startOfDay(first) < range.fromMs ? first + 1 : first;
  const wholeLast = startOfDay(last + 1) > range.toMs ? last - 1 : last;
  const from = params.add('Int32', first);
  const to = params.add('Int32', last);
  return {
    touched: bitsBetween(from, to),
    whole: bitsBetween(params.add('Int32', wholeFirst), params.add('Int32', wholeLast)),
    inMonths: `toInt32(month) <= ${to} AND toInt32(month) + 31 > ${from}`,
  };
}

const ALL_DAYS = 'toUInt32(4294967295)';

/** Of the month of the row, the days from `first` to `last`. */
const bitsBetween = (first: string, last: string): string =>
  `toUInt32(bitAnd(
    bitShiftLeft(toUInt64(4294967295), greatest(0, least(32, ${first} - toInt32(month)))),
    bitShiftLeft(toUInt64(1), greatest(0, least(32, ${last} - toInt32(month) + 1))) - 1))`;
