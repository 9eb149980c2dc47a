import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { TelemetryOrigin } from '#protocol/telemetry.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import type { TelemetryCursor } from '#storage/ports/telemetry.ts';
import { BY_ID_SETTINGS } from '../by-id-settings.ts';
import type { ClickhouseDatabase } from '../client.ts';
import type { SqlPart } from '../query-params.ts';
import type { Cells } from './columns.ts';
import type { TelemetryTable } from './telemetry-table.ts';

/** Rows of one page. */
const ROWS_MAX = 10_000;
/** How far back a page without a range looks first; a page that is not full looks further. */
const LOOK_BACK_MS = [DAY_MS, 7 * DAY_MS] as const;
/** No row is younger: the end of what the columns can hold. */
const LAST_MOMENT_MS = Date.UTC(2262, 0, 1);

/** A row with its place in the list. */
export type PlacedRow<Row> = { row: Row; place: TelemetryCursor };

export type RowsQuery = {
  conditions: SqlPart;
  limit: number;
  /** Where the page before ended. */
  after: TelemetryCursor | null;
  range: TimeRange | null;
  direction: 'oldest first' | 'newest first';
  /** Whether the conditions name an ID that a bloom filter finds. */
  isById?: boolean;
};

/** As `readRows`, newest first, without reading all there is for a page of what is new. */
export async function readNewestRows<Row extends TelemetryOrigin>(
  database: ClickhouseDatabase,
  table: TelemetryTable<Row>,
  query: Omit<RowsQuery, 'direction' | 'isById'>,
): Promise<{ rows: PlacedRow<Row>[]; hasMore: boolean }> {
  const { after, range } = query;
  const direction = 'newest first';
  const perMs = table.time.unit === 'us' ? 1_000 : 1;
  const newestMs = Math.min(after ? Math.ceil(after.at / perMs) : Date.now(), range?.toMs ?? Date.now());
  for (const lookBackMs of LOOK_BACK_MS) {
    const fromMs = newestMs - lookBackMs;
    if (range && range.fromMs >= fromMs) break;
    const near = { fromMs, toMs: range?.toMs ?? LAST_MOMENT_MS };
    const page = await readRows(database, table, { ...query, direction, range: near });
    if (page.hasMore) return page;
  }
  return readRows(database, table, { ...query, direction });
}

/**
 * Rows of a table by (time, row id). Copies of a row are dropped here, not by the server: a plain ORDER BY with LIMIT
 * lets it read the wide columns of the page's own rows only. Where copies took the place of others, the page is filled
 * up.
 */
export async function readRows<Row extends TelemetryOrigin>(
  database: ClickhouseDatabase,
  table: TelemetryTable<Row>,
  { conditions, limit, after, range, direction, isById }: RowsQuery,
): Promise<{ rows: PlacedRow<Row>[]; hasMore: boolean }> {
  if (limit > ROWS_MAX) throw invalid(`A page can have at most ${ROWS_MAX} rows`);
  const { column, unit } = table.time;
  const [sql, toTime] = TIME[unit];
  const [order, beyond] = direction === 'newest first' ? ['DESC', '<'] : ['ASC', '>'];
  const found = new Map<string, PlacedRow<Row>>();
  // One more than the page has: it tells whether there are more.
  const wanted = limit + 1;
  let cursor = after;
  for (;;) {
    const isInRange = range
      ? `AND ${column} >= ${sql('{fromTime:Int64}')} AND ${column} < ${sql('{toTime:Int64}')}`
      : '';
    const isBeyond = cursor
      ? `AND ${column} ${beyond}= ${sql('{at:Int64}')}
         AND (${column} ${beyond} ${sql('{at:Int64}')} OR ${table.rowId} ${beyond} {rowId:String})`
      : '';
    const cells = await database.query<Cells & PlaceCells>(
      `SELECT ${table.select}, ${toTime}(${column}) AS row_at, ${table.rowId} AS row_key
       FROM ${table.table}
       WHERE ${conditions.sql} ${isInRange} ${isBeyond}
       ORDER BY ${column} ${order}, ${table.rowId} ${order}
       LIMIT {rows:UInt32} ${isById ? BY_ID_SETTINGS : ''}`,
      {
        ...conditions.params,
        ...(range ? { fromTime: toUnit(range.fromMs, unit), toTime: toUnit(range.toMs, unit) } : {}),
        ...(cursor ? { at: Math.trunc(cursor.at), rowId: cursor.id } : {}),
        rows: wanted,
      },
    );
    for (const each of cells) {
      const key = `${each.project_id}:${each.row_at}:${each.row_key}`;
      if (found.has(key)) continue;
      found.set(key, { row: table.fromCells(each), place: { at: each.row_at, id: each.row_key } });
    }
    const last = cells.at(-1);
    if (!last || cells.length < wanted || found.size >= wanted) break;
    cursor = { at: last.row_at, id: last.row_key };
  }
  return { rows: [...found.values()].slice(0, limit), hasMore: found.size > limit };
}

type PlaceCells = { project_id: number; row_at: number; row_key: string };

const TIME = {
  ms: [(value: string) => `fromUnixTimestamp64Milli(${value}, 'UTC')`, 'toUnixTimestamp64Milli'],
  us: [(value: string) => `fromUnixTimestamp64Micro(${value}, 'UTC')`, 'toUnixTimestamp64Micro'],
} as const;

const toUnit = (ms: number, unit: 'ms' | 'us'): number => Math.trunc(unit === 'us' ? ms * 1_000 : ms);
