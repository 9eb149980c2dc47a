import { hash } from 'node:crypto';
import { isErrataError, messageOf } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { blobKey, parseBlobKey } from '#protocol/blob-key.ts';
import type { TelemetryRows } from '#protocol/telemetry.ts';
import type { RecordOf } from '../records.ts';
import type { TransferSource } from '../transfer-source.ts';
import { requireProject } from './import-projects.ts';
import { count, note } from './import-report.ts';
import type { ImportState } from './import-state.ts';

/** Rows that are inserted at once. */
const BATCH_ROWS_MAX = 1_000;
/** Days on which they arrived: each is a part of its own on disk. */
const BATCH_DAYS_MAX = 50;

type RowRecord = RecordOf<'row'>;

export type RowImporter = {
  add(record: RowRecord): Promise<void>;
  /** Everything that was added is in when it resolves. */
  flush(): Promise<void>;
};

/** Inserts telemetry as it was stored elsewhere, in the projects here. The same rows again replace each other. */
export function createRowImporter(
  ctx: Context,
  state: ImportState & { transferId: number },
  openFile: TransferSource['openFile'],
): RowImporter {
  let batch: RowRecord[] = [];
  const days = new Set<number>();

  async function flush(): Promise<void> {
    const records = batch;
    batch = [];
    days.clear();
    if (records.length === 0) return;
    const sourceId = hash('sha256', JSON.stringify(records));
    const known = await ctx.stores.transfers.listTargets(state.transferId, 'row', [sourceId]);
    if (known.size > 0) return count(state.report, 'row', 'unchanged', records.length);
    try {
      for (const [table, own] of Map.groupBy(records, (record) => record.table)) {
        const rows = await Promise.all(own.map(toRow));
        await ctx.stores.telemetry.insert(
          { [table]: rows } as Partial<TelemetryRows>,
          `${sourceId}:${table}`,
        );
      }
    } catch (error) {
      if (isErrataError(error) && error.code === 'unavailable') throw error;
      count(state.report, 'row', 'failed', records.length);
      const reason = `${records.length} rows could not be stored: ${messageOf(error)}`;
      const table = records[0]?.table ?? '';
      return note(state.report, { kind: 'row', id: sourceId, name: table, result: 'failed', reason });
    }
    count(state.report, 'row', 'created', records.length);
    await ctx.stores.transfers.noteTargets(state.transferId, 'row', [{ sourceId, target: null }]);
  }

  async function toRow({ project, row, file }: RowRecord): Promise<object> {
    const { id: projectId, keyId } = requireProject(state, project);
    const moved = { ...row, organizationId: ctx.organization.id, projectId, keyId: keyId ?? 0 };
    if (typeof row.blobKey !== 'string' || row.blobKey === '' || typeof row.receivedAt !== 'number') {
      return { ...moved, ...('blobKey' in row && { blobKey: '' }) };
    }
    // Never as it is written there: it would name a blob of another project here.
    const key = blobKey(row.receivedAt, projectId, parseBlobKey(row.blobKey).name);
    if (file !== null && (await ctx.stores.blobs.size(key)) === null) await writeBlob(key, file.path);
    return { ...moved, blobKey: key };
  }

  async function writeBlob(key: string, path: string): Promise<void> {
    const content = await openFile(path);
    const writer = ctx.stores.blobs.create(key);
    try {
      for await (const chunk of content) writer.write(chunk);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  return {
    async add(record) {
      batch.push(record);
      if (typeof record.row.receivedAt === 'number') days.add(Math.floor(record.row.receivedAt / DAY_MS));
      if (batch.length >= BATCH_ROWS_MAX || days.size >= BATCH_DAYS_MAX) await flush();
    },
    flush,
  };
}
