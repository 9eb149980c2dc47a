import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { Droppable, ProjectShare, StoredDays, StoredKind } from '#storage/ports/stored-days.ts';
import { HELD_PREFIX } from './backup/held-tables.ts';
import type { ClickhouseDatabase } from './client.ts';
import { listParam, unhex } from './query-params.ts';
import { dropOldMonths } from './search/values/store-values.ts';
import { noteRemoved } from './search/values/stored-values.ts';
import { TABLES as TELEMETRY_TABLES } from './telemetry/tables.ts';
import { weighHours, weighProjects } from './weigh-rows.ts';

/** Every table that is partitioned by the day of arrival. */
const TABLES = {
  events: 'events',
  uptimeChecks: 'uptime_checks',
  ...Object.fromEntries(Object.entries(TELEMETRY_TABLES).map(([kind, { table }]) => [kind, table])),
} as Readonly<Record<StoredKind, string>>;
const KINDS = new Map(Object.entries(TABLES).map(([kind, table]) => [table, kind as StoredKind]));
/** Tables whose rows name a blob. */
const WITH_BLOBS: ReadonlySet<StoredKind> = new Set<StoredKind>([
  'attachments',
  'replaySegments',
  'profiles',
]);
/** Parts listed in one query. */
const PARTS_MAX = 100_000;
/** Hashes looked up in one query. */
const HASHES_PER_QUERY_MAX = 5_000;
/** Blob keys looked up in one query. */
const BLOB_KEYS_PER_QUERY_MAX = 5_000;

export function createStoredDays(database: ClickhouseDatabase): StoredDays {
  return {
    async list() {
      const rows = await database.query<{ table: string; partition_id: string; rows: number; bytes: number }>(
        `SELECT table, partition_id, sum(parts.rows) AS rows, sum(bytes_on_disk) AS bytes
         FROM ${database.system('parts')} AS parts
         WHERE database = {database:String} AND active AND parts.rows > 0
         GROUP BY table, partition_id ORDER BY partition_id, table LIMIT ${PARTS_MAX}`,
        { database: database.storedIn },
      );
      return rows.flatMap(({ table, partition_id, rows: count, bytes }) => {
        const kind = KINDS.get(table);
        return kind ? [{ kind, day: toDay(partition_id), rows: count, bytes }] : [];
      });
    },

    async clearingBytes() {
      const [row] = await database.query<{ bytes: number }>(
        `SELECT sum(bytes_on_disk) AS bytes FROM ${database.system('parts')}
         WHERE database = {database:String} AND (NOT active AND refcount = 1 OR startsWith(table, {held:String})
           AND (substring(table, length({held:String}) + 1), hash_of_all_files) NOT IN (
             SELECT table, hash_of_all_files FROM ${database.system('parts')} WHERE database = {database:String} AND active))`,
        { database: database.storedIn, held: HELD_PREFIX },
      );
      return row?.bytes ?? 0;
    },

    weigh: (kind, day) => weighProjects(database, TABLES[kind], toPartition(day)),

    weighHours: (kind, day, projectId) => weighHours(database, TABLES[kind], toPartition(day), projectId),

    async countByProject(unit) {
      return await database.query<Omit<ProjectShare, 'weight'>>(
        `SELECT organization_id AS organizationId, project_id AS projectId, count() AS rows
         FROM ${TABLES[unit.kind]} WHERE ${inUnit(unit)} GROUP BY organization_id, project_id`,
        paramsOf(unit),
      );
    },

    async listBlobKeys(unit, after, limit) {
      if (!WITH_BLOBS.has(unit.kind)) return [];
      const rows = await database.query<{ blob_key: string }>(
        `SELECT DISTINCT blob_key FROM ${TABLES[unit.kind]}
         WHERE ${inUnit(unit)} AND blob_key > {after:String} ORDER BY blob_key LIMIT {limit:UInt32}`,
        { ...paramsOf(unit), after, limit },
      );
      return rows.map((row) => row.blob_key);
    },

    async findNamedBlobs(day, projectId, keys) {
      const named = new Set<string>();
      for (let start = 0; start < keys.length; start += BLOB_KEYS_PER_QUERY_MAX) {
        const list = listParam('keys', 'String', keys.slice(start, start + BLOB_KEYS_PER_QUERY_MAX));
        for (const kind of WITH_BLOBS) {
          const rows = await database.query<{ blob_key: string }>(
            `SELECT DISTINCT blob_key FROM ${TABLES[kind]}
             WHERE _partition_id = {partition:String} AND project_id = {projectId:UInt64} AND blob_key IN ${list.sql}
             LIMIT ${BLOB_KEYS_PER_QUERY_MAX}`,
            { ...list.params, partition: toPartition(day), projectId },
          );
          for (const row of rows) named.add(row.blob_key);
        }
      }
      return named;
    },

    async drop(units) {
      const [first] = units;
      if (!first) return;
      const { kind, day, part } = first;
      if (units.some((unit) => unit.kind !== kind || unit.day !== day))
        throw new Error('Only data of the same kind and day can be dropped together');
      if (part !== null) {
        await dropPart(database, kind, part);
        return;
      }
      const table = TABLES[kind];
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
    },

    countBodies: (organizationId, sinceMs) =>
      database.query<{ projectId: number; events: number; withoutBody: number }>(
        `SELECT project_id AS projectId, count() AS events, countIf(empty(payload)) AS withoutBody FROM events
         WHERE organization_id = {organizationId:UInt64}
           AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
         GROUP BY project_id`,
        { organizationId, sinceMs: Math.trunc(sinceMs) },
      ),

    async findHashesWithEvents(hashes) {
      const found = new Set<string>();
      for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY_MAX) {
        const list = listParam(
          'hashes',
          'Tuple(UInt64, FixedString(32))',
          hashes
            .slice(start, start + HASHES_PER_QUERY_MAX)
            .map(({ projectId, hash }) => new TupleParam([projectId, hash])),
        );
        const rows = await database.query<{ project_id: number; grouping_hash: string }>(
          `SELECT DISTINCT project_id, grouping_hash FROM events
           WHERE (project_id, grouping_hash) IN ${list.sql} LIMIT ${HASHES_PER_QUERY_MAX}`,
          list.params,
        );
        for (const row of rows) found.add(`${row.project_id}:${row.grouping_hash}`);
      }
      return found;
    },
  };
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
  const table = TABLES[kind];
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

const inUnit = (unit: Droppable): string => {
  if (unit.part !== null) return '_part = {part:String}';
  const rows = rowsOf([unit]);
  return `_partition_id = {partition:String}${rows === null ? '' : ` AND ${rows}`}`;
};

const paramsOf = (unit: Droppable): Readonly<Record<string, string>> =>
  unit.part === null ? { partition: toPartition(unit.day) } : { part: unit.part };

/** Which rows of the day, in SQL, since statements that delete take no parameters; null for all of them. */
function rowsOf(units: readonly Droppable[]): string | null {
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
function toPartition(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day}" is not a day`);
  return day.replaceAll('-', '');
}

const toDay = (partition: string): string =>
  `${partition.slice(0, 4)}-${partition.slice(4, 6)}-${partition.slice(6, 8)}`;
