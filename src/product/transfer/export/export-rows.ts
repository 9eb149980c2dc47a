import { eventScope } from '#product/visible-projects.ts';
import type { TelemetryCursor, TelemetryPage } from '#storage/ports/telemetry.ts';
import { FILES_FOLDER } from '../folder-format.ts';
import { type RecordOf, ROW_TABLES } from '../records.ts';
import type { ExportScope } from './export-scope.ts';

const ROWS_PER_PAGE = 1_000;

/** Telemetry by project and table, the newest rows first; attachments and feedback come with their events. */
export async function* exportRows({ ctx, projects, options }: ExportScope): AsyncGenerator<RecordOf<'row'>> {
  for (const { id, slug } of projects) {
    for (const table of ROW_TABLES) {
      let done = 0;
      let before: TelemetryCursor | null = null;
      do {
        options.signal.throwIfAborted();
        const page: TelemetryPage<typeof table> = await ctx.stores.telemetry.list(
          table,
          eventScope(ctx, [id]),
          { limit: ROWS_PER_PAGE, before, range: null },
        );
        for (const row of page.rows) {
          if (row.receivedAt < options.fromMs || row.receivedAt >= options.toMs) continue;
          yield { kind: 'row', project: String(id), table, row: { ...row }, file: await fileOf(row, ctx) };
        }
        done += page.rows.length;
        before = page.next;
        if (done > 0) options.progress(`${table} of ${slug}: ${done.toLocaleString('en')}`);
      } while (before !== null);
    }
  }
}

async function fileOf(
  row: object,
  { stores }: Pick<ExportScope['ctx'], 'stores'>,
): Promise<RecordOf<'row'>['file']> {
  if (!('blobKey' in row) || typeof row.blobKey !== 'string' || row.blobKey === '') return null;
  const bytes = await stores.blobs.size(row.blobKey);
  return bytes === null ? null : { path: `${FILES_FOLDER}/${row.blobKey}`, bytes, sha256: null };
}
