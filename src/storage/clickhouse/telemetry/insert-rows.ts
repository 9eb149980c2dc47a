import { TELEMETRY_KINDS, type TelemetryOrigin, type TelemetryRows } from '#protocol/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { TABLES } from './tables.ts';
import type { TelemetryTable } from './telemetry-table.ts';

/** Rows of one insert, which bounds its memory; a record may hold thousands of spans. */
const ROWS_PER_INSERT_MAX = 20_000;

/** One insert for each kind that has rows, side by side; all have ended when it resolves or throws. */
export async function insertRows(
  database: ClickhouseDatabase,
  rows: Partial<TelemetryRows>,
  token: string,
): Promise<void> {
  const inserts: Promise<void>[] = [];
  for (const kind of TELEMETRY_KINDS) {
    const own = rows[kind];
    if (own === undefined || own.length === 0) continue;
    inserts.push(
      insertKind(database, TABLES[kind] as TelemetryTable<TelemetryOrigin>, own, `${token}:${kind}`),
    );
  }
  if (inserts.length === 0) return;
  for (const result of await Promise.allSettled(inserts)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

async function insertKind(
  database: ClickhouseDatabase,
  table: TelemetryTable<TelemetryOrigin>,
  rows: readonly TelemetryOrigin[],
  token: string,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT_MAX) {
    const part = rows.slice(start, start + ROWS_PER_INSERT_MAX);
    await database.insert(table.table, part.map(table.toCells), start === 0 ? token : `${token}:${start}`);
  }
}
