import type {
  DeletedEventStore,
  DeletedProjectData,
  EventDeletion,
  ProjectRows,
} from '#storage/ports/deleted-data.ts';
import type { StoredKind } from '#storage/ports/stored-days.ts';
import type { ClickhouseDatabase } from './client.ts';
import { quoteBlobKey, unhex } from './query-params.ts';
import { forgetHashes } from './search/values/store-values.ts';
import { noteRemoved } from './search/values/stored-values.ts';
import { TABLES } from './telemetry/tables.ts';

/** Hashes in one statement; a deletion has those of many issues. */
const HASHES_PER_STATEMENT_MAX = 500;

export function createDeletedEventStore(database: ClickhouseDatabase): DeletedEventStore {
  return {
    async listBlobKeys(deletion, after, limit) {
      const keys = new Set<string>();
      for (const { events } of eventsOf(deletion)) {
        const rows = await database.query<{ blob_key: string }>(
          `SELECT DISTINCT blob_key FROM attachments
           WHERE ${ofProject(deletion)} AND blob_key > {after:String}
             AND event_id IN (SELECT event_id FROM events WHERE ${events})
           ORDER BY blob_key LIMIT {limit:UInt32}`,
          { after, limit },
        );
        for (const row of rows) keys.add(row.blob_key);
      }
      return [...keys].sort().slice(0, limit);
    },

    async deleteBlobRows(deletion, lastKey) {
      for (const { events } of eventsOf(deletion)) {
        await database.command(
          `DELETE FROM attachments WHERE ${ofProject(deletion)} AND blob_key <= ${quoteBlobKey(lastKey)}
             AND event_id IN (SELECT event_id FROM events WHERE ${events})`,
        );
      }
    },

    async deleteEvents(deletion) {
      for (const { events, hashes } of eventsOf(deletion)) {
        const nowMs = Date.now();
        const forgetting = forgetHashes({ ...deletion, hashes }, deletion.requestedAt, nowMs);
        await database.command(forgetting.before);
        const ids = `SELECT event_id FROM events WHERE ${events}`;
        // What hangs on the events goes before they do: they say what that is. Their index goes before them, since what
        // it has is stored.
        await database.command(
          `DELETE FROM attachments WHERE ${ofProject(deletion)} AND event_id IN (${ids})`,
        );
        await database.command(
          // What was written about them, and what they are the events of: those may lie on other shards.
          `DELETE FROM feedback WHERE ${ofProject(deletion)} AND (feedback_id IN (${ids})
             OR associated_event_id IN (SELECT toString(event_id) FROM ${database.name}.events WHERE ${events}))`,
        );
        await database.command(noteRemoved(events, nowMs));
        await database.command(
          `DELETE FROM event_index WHERE ${ofProject(deletion)}
             AND (grouping_hash, occurred_at, event_id) IN (
               SELECT ${unhex('grouping_hash')}, occurred_at, ${unhex('event_id')} FROM events WHERE ${events})`,
        );
        await database.command(`DELETE FROM events WHERE ${events}`);
        await database.command(forgetting.after);
      }
    },
  };
}

const ofProject = ({ organizationId, projectId }: EventDeletion): string =>
  `organization_id = ${whole(organizationId)} AND project_id = ${whole(projectId)}`;

/** Conditions on events, and the hashes of each, that together are the deletion. Statements that delete take no parameters. */
function eventsOf(deletion: EventDeletion): readonly { events: string; hashes: string }[] {
  const parts: { events: string; hashes: string }[] = [];
  for (let start = 0; start < deletion.hashes.length; start += HASHES_PER_STATEMENT_MAX) {
    const hashes = deletion.hashes
      .slice(start, start + HASHES_PER_STATEMENT_MAX)
      .map(quoteHash)
      .join(', ');
    parts.push({
      hashes,
      events: `${ofProject(deletion)} AND grouping_hash IN (${hashes})
       AND received_at <= fromUnixTimestamp64Milli(toInt64(${whole(deletion.requestedAt)}), 'UTC')`,
    });
  }
  return parts;
}

function quoteHash(hash: string): string {
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new Error(`"${hash}" is not a grouping hash`);
  return `'${hash}'`;
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is not a whole number`);
  return String(value);
}

const WITH_BLOBS = [TABLES.attachments.table, TABLES.replaySegments.table, TABLES.profiles.table];
const TELEMETRY_TABLES = Object.fromEntries(Object.entries(TABLES).map(([kind, { table }]) => [kind, table]));
/** What the index has is stored, so it goes before the events. */
const ALL = [
  ...Object.values(TABLES).map(({ table }) => table),
  'event_index',
  'reprocessed_events',
  'events',
  'event_values',
  'uptime_checks',
];

export function createDeletedProjectData(database: ClickhouseDatabase): DeletedProjectData {
  return {
    async listBlobKeys({ organizationId, projectId }, after, limit) {
      const selects = WITH_BLOBS.map(
        (table) => `SELECT blob_key FROM ${table}
          WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
            AND blob_key > {after:String}`,
      );
      const rows = await database.query<{ blob_key: string }>(
        `SELECT DISTINCT blob_key FROM (${selects.join(' UNION ALL ')}) ORDER BY blob_key LIMIT {limit:UInt32}`,
        { organizationId, projectId, after, limit },
      );
      return rows.map((row) => row.blob_key);
    },

    async deleteBlobRows(project, lastKey) {
      for (const table of WITH_BLOBS) {
        await database.command(
          `DELETE FROM ${table} WHERE ${ofDeletedProject(project)} AND blob_key <= ${quoteBlobKey(lastKey)}`,
        );
      }
    },

    async countRows(project) {
      const kinds = Object.entries({ events: 'events', uptimeChecks: 'uptime_checks', ...TELEMETRY_TABLES });
      const counts: Partial<Record<StoredKind, number>> = {};
      for (const [kind, table] of kinds) {
        const [row] = await database.query<{ rows: number }>(
          `SELECT count() AS rows FROM ${table} WHERE ${ofDeletedProject(project)}`,
          {},
        );
        if (row && row.rows > 0) counts[kind as StoredKind] = row.rows;
      }
      return counts;
    },

    async deleteRows(project) {
      for (const table of ALL)
        await database.write(`DELETE FROM ${table} WHERE ${ofDeletedProject(project)}`, {});
    },
  };
}

/** Statements that delete take no parameters. */
function ofDeletedProject({ organizationId, projectId }: ProjectRows): string {
  for (const id of [organizationId, projectId]) {
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${id} is not a valid project ID`);
  }
  return `organization_id = ${organizationId} AND project_id = ${projectId}`;
}
