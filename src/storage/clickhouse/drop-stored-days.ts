import { DAY_MS } from '#lib/time.ts';
import type { Droppable, StoredKind } from '#storage/ports/stored-days.ts';
import type { ClickhouseDatabase } from './client.ts';
import { unhex } from './query-params.ts';
import { dropOldMonths } from './search/values/store-values.ts';
import { noteRemoved } from './search/values/stored-values.ts';
import { TABLES } from './telemetry/tables.ts';

/** Every table that is partitioned by the day of arrival. */
export const DAY_TABLES = {
  events: 'events',
  uptimeChecks: 'uptime_checks',
  ...Object.fromEntries(Object.entries(TABLES).map(([kind, { table }]) => [kind, table])),
} as Readonly<Record<StoredKind, string>>;

/** What `StoredDays.drop` promises. */
export async function dropStoredDays(
  database: ClickhouseDatabase,
  units: readonly Droppable[],
): Promise<void> {
  const [first] = units;
  if (!first) return;
  const { kind, day, part } = first;
  if (units.some((unit) => unit.kind !== kind || unit.day !== day))
    throw new Error('Only data of the same kind and day can be dropped together');
  if (part !== null) {
    await dropPart(database, kind, part);
    return;
  }
  const table = DAY_TABLES[kind];
  const partition = toPartition(day);
  const rows = await leaveOutWhole(database, table, partition, rowsOf(units));
  if (kind === 'events') {
    const inDay = `_partition_id = '${partition}'${rows === null ? '' : ` AND ${rows}`}`;
    await database.write(noteRemoved(inDay, Date.now()), {});
    await database.write(rows === null ? forgetDay(day) : forgetEvents(inDay), {});
  }
  if (rows === null) await database.command(`ALTER TABLE ${table} DROP PARTITION ID '${partition}'`);
  else await removeRows(database, table, partition, rows);
  if (kind === 'events') await dropOldMonths(database, Date.now());
}

/** The index of events goes before they do: what it has is stored. */
const forgetDay = (day: string): string =>
  `DELETE FROM event_index WHERE received_on = toDate('${toDay(toPartition(day))}')`;

const forgetEvents = (events: string): string =>
  `DELETE FROM event_index
   WHERE (project_id, grouping_hash, occurred_at, event_id) IN (
     SELECT project_id, ${unhex('grouping_hash')}, occurred_at, ${unhex('event_id')}
     FROM events WHERE ${events}
   )`;

/** null when the rows are all that a day has which nobody writes to any more: it can be dropped without rewriting. */
async function leaveOutWhole(
  database: ClickhouseDatabase,
  table: string,
  partition: string,
  rows: string | null,
): Promise<string | null> {
  if (rows === null || partition >= toPartition(new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)))
    return rows;
  const [found] = await database.query<{ others: number }>(
    `SELECT countIf(NOT (${rows})) AS others FROM ${table} WHERE _partition_id = {partition:String}`,
    { partition },
  );
  return found?.others === 0 ? null : rows;
}

/**
 * Rewrites the parts of the day without the rows, so that their space returns; a lightweight delete would only hide them
 * until some merge. What cannot be done for lack of space is not left to the engine to try for ever.
 */
async function removeRows(
  database: ClickhouseDatabase,
  table: string,
  partition: string,
  rows: string,
): Promise<void> {
  try {
    await database.write(
      `ALTER TABLE ${table} DELETE IN PARTITION ID '${partition}' WHERE ${rows} SETTINGS mutations_sync = 1`,
      {},
    );
  } catch (error) {
    await database
      .command(
        `KILL MUTATION WHERE database = '${database.storedIn}' AND table = '${table}' AND NOT is_done
         AND latest_fail_reason != ''`,
      )
      .catch(() => {});
    throw error;
  }
}

async function dropPart(database: ClickhouseDatabase, kind: StoredKind, part: string): Promise<void> {
  if (!PART_NAME.test(part)) throw new Error(`"${part}" is not a part name`);
  const table = DAY_TABLES[kind];
  const [known] = await database.query<{ name: string }>(
    `SELECT name FROM ${database.system('parts')}
     WHERE database = {database:String} AND table = {table:String} AND active AND name = {part:String}`,
    { database: database.storedIn, table, part },
  );
  // Shards give the same names to parts: what an older version began was of a single server.
  if (!known || (await database.shards()).length > 1) return;
  if (kind === 'events') {
    await database.write(noteRemoved(`_part = '${part}'`, Date.now()), {});
    await database.write(forgetEvents(`_part = '${part}'`), {});
  }
  await database.command(`ALTER TABLE ${table} DROP PART '${part}'`);
}

const PART_NAME = /^\d{8}_\d+_\d+_\d+(_\d+)?$/;

/** Which rows of the day, in SQL, since statements that delete take no parameters; null for all of them. */
export function rowsOf(units: readonly Droppable[]): string | null {
  const conditions = units.map(({ projectId, hours }) => {
    if (projectId === null) return null;
    if (!Number.isSafeInteger(projectId) || projectId < 1)
      throw new Error(`${projectId} is not a valid project ID`);
    if (!hours.every((hour) => Number.isInteger(hour) && hour >= 0 && hour < 24))
      throw new Error(`${hours.join()} are not hours`);
    return hours.length === 0
      ? `project_id = ${projectId}`
      : `(project_id = ${projectId} AND toHour(received_at, 'UTC') IN (${hours.join(', ')}))`;
  });
  return conditions.includes(null) ? null : `(${conditions.join(' OR ')})`;
}

/** `2026-01-31` → `20260131`. Throws for anything else, since it becomes part of a statement. */
export function toPartition(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day}" is not a day`);
  return day.replaceAll('-', '');
}

export const toDay = (partition: string): string =>
  `${partition.slice(0, 4)}-${partition.slice(4, 6)}-${partition.slice(6, 8)}`;
