import { TupleParam } from '@clickhouse/client';
import type { Droppable, ProjectShare, StoredDays, StoredKind } from '#storage/ports/stored-days.ts';
import { HELD_PREFIX } from './backup/held-tables.ts';
import type { ClickhouseDatabase } from './client.ts';
import { DAY_TABLES, dropStoredDays, rowsOf, toDay, toPartition } from './drop-stored-days.ts';
import { listParam } from './query-params.ts';
import { weighHours, weighProjects } from './weigh-rows.ts';

const KINDS = new Map(Object.entries(DAY_TABLES).map(([kind, table]) => [table, kind as StoredKind]));
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

    weigh: (kind, day) => weighProjects(database, DAY_TABLES[kind], toPartition(day)),

    weighHours: (kind, day, projectId) => weighHours(database, DAY_TABLES[kind], toPartition(day), projectId),

    async countByProject(unit) {
      return await database.query<Omit<ProjectShare, 'weight'>>(
        `SELECT organization_id AS organizationId, project_id AS projectId, count() AS rows
         FROM ${DAY_TABLES[unit.kind]} WHERE ${inUnit(unit)} GROUP BY organization_id, project_id`,
        paramsOf(unit),
      );
    },

    async listBlobKeys(unit, after, limit) {
      if (!WITH_BLOBS.has(unit.kind)) return [];
      const rows = await database.query<{ blob_key: string }>(
        `SELECT DISTINCT blob_key FROM ${DAY_TABLES[unit.kind]}
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
            `SELECT DISTINCT blob_key FROM ${DAY_TABLES[kind]}
             WHERE _partition_id = {partition:String} AND project_id = {projectId:UInt64} AND blob_key IN ${list.sql}
             LIMIT ${BLOB_KEYS_PER_QUERY_MAX}`,
            { ...list.params, partition: toPartition(day), projectId },
          );
          for (const row of rows) named.add(row.blob_key);
        }
      }
      return named;
    },

    drop: (units) => dropStoredDays(database, units),

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

const inUnit = (unit: Droppable): string => {
  if (unit.part !== null) return '_part = {part:String}';
  const rows = rowsOf([unit]);
  return `_partition_id = {partition:String}${rows === null ? '' : ` AND ${rows}`}`;
};

const paramsOf = (unit: Droppable): Readonly<Record<string, string>> =>
  unit.part === null ? { partition: toPartition(unit.day) } : { part: unit.part };
