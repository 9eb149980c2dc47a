import { TupleParam } from '@clickhouse/client';
import type { Droppable, StoredDays, StoredKind } from '#storage/ports/retention.ts';
import type { ClickhouseDatabase } from './client.ts';
import { listParam } from './list-param.ts';
import { dropOldMonths } from './search/values/forget-values.ts';
import { noteRemoved } from './search/values/stored-values.ts';

/** Every table that is partitioned by the day of arrival. */
const TABLES: Readonly<Record<StoredKind, string>> = {
  events: 'events',
  transactions: 'transactions',
  spans: 'spans',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'sessions',
  checkIns: 'check_ins',
  feedback: 'feedback',
  attachments: 'attachments',
  replays: 'replays',
  replaySegments: 'replay_segments',
  profiles: 'profiles',
};
const KINDS = new Map(Object.entries(TABLES).map(([kind, table]) => [table, kind as StoredKind]));
const WITH_BLOBS: ReadonlySet<StoredKind> = new Set<StoredKind>([
  'attachments',
  'replaySegments',
  'profiles',
]);
const PARTS_MAX = 100_000;
const HASHES_PER_QUERY_MAX = 5_000;

export function createStoredDays(database: ClickhouseDatabase): StoredDays {
  return {
    async list() {
      const rows = await database.query<{ table: string; partition_id: string; rows: number; bytes: number }>(
        `SELECT table, partition_id, sum(parts.rows) AS rows, sum(bytes_on_disk) AS bytes
         FROM system.parts AS parts
         WHERE database = {database:String} AND active AND parts.rows > 0
         GROUP BY table, partition_id ORDER BY partition_id, table LIMIT ${PARTS_MAX}`,
        { database: database.name },
      );
      return rows.flatMap(({ table, partition_id, rows: count, bytes }) => {
        const kind = KINDS.get(table);
        return kind ? [{ kind, day: toDay(partition_id), rows: count, bytes }] : [];
      });
    },

    async listParts(day) {
      const rows = await database.query<{ table: string; name: string; rows: number; bytes: number }>(
        `SELECT table, name, rows, bytes_on_disk AS bytes FROM system.parts
         WHERE database = {database:String} AND active AND rows > 0 AND partition_id = {partition:String}
         ORDER BY min_time, min_block_number, table LIMIT ${PARTS_MAX}`,
        { database: database.name, partition: toPartition(day) },
      );
      return rows.flatMap(({ table, name, rows: count, bytes }) => {
        const kind = KINDS.get(table);
        return kind ? [{ kind, day, part: name, rows: count, bytes }] : [];
      });
    },

    async countByProject(unit) {
      const rows = await database.query<{ organization_id: number; project_id: number; rows: number }>(
        `SELECT organization_id, project_id, count() AS rows FROM ${TABLES[unit.kind]}
         WHERE ${inUnit(unit)} GROUP BY organization_id, project_id`,
        paramsOf(unit),
      );
      return rows.map((row) => ({
        organizationId: row.organization_id,
        projectId: row.project_id,
        rows: row.rows,
      }));
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

    async drop(unit) {
      const table = TABLES[unit.kind];
      if (unit.part === null) {
        if (unit.kind === 'events') {
          await database.write(noteRemoved(`_partition_id = '${toPartition(unit.day)}'`, Date.now()), {});
          await database.command(forgetDay(unit.day));
        }
        await database.command(`ALTER TABLE ${table} DROP PARTITION ID '${toPartition(unit.day)}'`);
        if (unit.kind === 'events') await dropOldMonths(database, Date.now());
        return;
      }
      if (!PART_NAME.test(unit.part)) throw new Error(`"${unit.part}" is no name of a part`);
      const [known] = await database.query<{ name: string }>(
        `SELECT name FROM system.parts
         WHERE database = {database:String} AND table = {table:String} AND active AND name = {part:String}`,
        { database: database.name, table, part: unit.part },
      );
      if (!known) return;
      if (unit.kind === 'events') {
        await database.write(noteRemoved(`_part = '${unit.part}'`, Date.now()), {});
        await database.command(forgetPart(unit.part));
      }
      await database.command(`ALTER TABLE ${table} DROP PART '${unit.part}'`);
    },

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

const forgetPart = (part: string): string =>
  `DELETE FROM event_index
   WHERE (project_id, grouping_hash, occurred_at, event_id) IN (
     SELECT project_id, reinterpretAsUInt128(reverse(unhex(grouping_hash))), occurred_at,
       reinterpretAsUInt128(reverse(unhex(event_id)))
     FROM events WHERE _part = '${part}'
   )`;

const PART_NAME = /^\d{8}_\d+_\d+_\d+(_\d+)?$/;

const inUnit = (unit: Droppable): string =>
  unit.part === null ? '_partition_id = {partition:String}' : '_part = {part:String}';

const paramsOf = (unit: Droppable): Readonly<Record<string, string>> =>
  unit.part === null ? { partition: toPartition(unit.day) } : { part: unit.part };

/** `2026-01-31` → `20260131`. Throws for anything else, since it becomes part of a statement. */
function toPartition(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day}" is no day`);
  return day.replaceAll('-', '');
}

const toDay = (partition: string): string =>
  `${partition.slice(0, 4)}-${partition.slice(4, 6)}-${partition.slice(6, 8)}`;
