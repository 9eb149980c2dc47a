import type { DeletedProject, DeletedProjectData } from '#storage/ports/deleted-data.ts';
import type { ClickhouseDatabase } from './client.ts';
import { quoteBlobKey } from './quote-blob-key.ts';
import { TABLES } from './telemetry/tables.ts';

const WITH_BLOBS = [TABLES.attachments.table, TABLES.replaySegments.table, TABLES.profiles.table];
/** What the index has is stored, so it goes before the events. */
const ALL = [
  ...Object.values(TABLES).map(({ table }) => table),
  'event_index',
  'reprocessed_events',
  'events',
  'event_values',
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
          `DELETE FROM ${table} WHERE ${ofProject(project)} AND blob_key <= ${quoteBlobKey(lastKey)}`,
        );
      }
    },

    async deleteRows(project) {
      for (const table of ALL) await database.command(`DELETE FROM ${table} WHERE ${ofProject(project)}`);
    },
  };
}

/** Statements that delete take no parameters. */
function ofProject({ organizationId, projectId }: DeletedProject): string {
  for (const id of [organizationId, projectId]) {
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${id} is the number of no project`);
  }
  return `organization_id = ${organizationId} AND project_id = ${projectId}`;
}
