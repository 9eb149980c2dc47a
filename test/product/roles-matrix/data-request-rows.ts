import { getCertificate } from '#product/data-requests/certificate.ts';
import {
  cancelDataRequest,
  ERASE_CONFIRMATION,
  eraseData,
  exportData,
  getDataRequest,
  listAllDataRequests,
  listDataRequests,
  openExport,
  requestData,
} from '#product/data-requests/data-requests.ts';
import { NOON_MS } from '../../contract/sample-events.ts';
import { type ApiRow, row } from './api-row.ts';
import { reads, settings, type VerbRow } from './rows.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const IDENTIFIERS = [{ kind: 'email', value: 'ann@example.com' }] as const;

/** A request in a state, the only one that is open; its export is of the user. */
export async function newDataRequest(
  { product, mine }: Pick<MatrixScene, 'product' | 'mine'>,
  state: 'counted' | 'erased' = 'counted',
  exportOf: string | null = null,
): Promise<number> {
  const { dataRequests, exportFiles } = product.stores;
  await product.pool.query("UPDATE data_requests SET state = 'canceled' WHERE state <> 'erased'");
  const { id } = await dataRequests.create({
    organizationId: mine.id,
    organizationSlug: mine.slug,
    identifiers: IDENTIFIERS,
    identifierHashes: dataRequests.hashesOf(IDENTIFIERS),
    notes: [],
    requestedBy: null,
    requestedByName: 'Ann',
    nowMs: NOON_MS,
  });
  await product.pool.query(
    `UPDATE data_requests SET state = $2, counted_at = created_at, hidden_at = created_at, purged_at = created_at,
       erase_requested_at = created_at, finished_at = created_at WHERE id = $1`,
    [id, state],
  );
  if (exportOf !== null) {
    const content = async function* () {
      yield Buffer.from('archive');
    };
    await exportFiles.write(id, content());
    await product.pool.query(
      `UPDATE data_requests SET export_requested_by = $2, export_bytes = 7, export_expires_at = created_at + interval '7 days'
       WHERE id = $1`,
      [id, exportOf],
    );
  }
  return id;
}

export const DATA_REQUEST_READS: Readonly<Record<string, VerbRow>> = {
  listDataRequests: reads('manager', (ctx) => listDataRequests(ctx)),
  getDataRequest: reads('manager', async (ctx, s) => getDataRequest(ctx, await newDataRequest(s))),
  getCertificate: reads('manager', async (ctx, s) => getCertificate(ctx, await newDataRequest(s, 'erased'))),
  openExport: reads('manager', async (ctx, s) => {
    const { content } = await openExport(ctx, await newDataRequest(s, 'counted', ctx.userId));
    content.destroy();
  }),
  listAllDataRequests: reads('instance_owner', (ctx) => listAllDataRequests(ctx, null)),
};

export const DATA_REQUEST_CHANGES: Readonly<Record<string, VerbRow>> = {
  requestData: settings('manager', 'data-request.create', async (ctx, s) => {
    await newDataRequest(s);
    await requestData(ctx, { identifiers: IDENTIFIERS });
  }),
  exportData: settings('manager', 'data-request.export', async (ctx, s) =>
    exportData(ctx, await newDataRequest(s)),
  ),
  eraseData: settings('manager', 'data-request.erase', async (ctx, s) =>
    eraseData(ctx, { requestId: await newDataRequest(s), confirmation: ERASE_CONFIRMATION }),
  ),
  cancelDataRequest: settings('manager', 'data-request.cancel', async (ctx, s) =>
    cancelDataRequest(ctx, await newDataRequest(s)),
  ),
};

const named = async (s: MatrixScene, state?: 'counted' | 'erased', exportOf?: string) => ({
  params: { request: String(await newDataRequest(s, state, exportOf)) },
});

export const DATA_REQUEST_API_ROWS: Readonly<Record<string, ApiRow>> = {
  [`GET ${ORG}/data-requests`]: row('manager'),
  [`POST ${ORG}/data-requests`]: row('manager', async (s) => {
    await newDataRequest(s);
    return { body: { identifiers: IDENTIFIERS } };
  }),
  [`GET ${ORG}/data-requests/[request]`]: row('manager', (s) => named(s)),
  [`PUT ${ORG}/data-requests/[request]`]: row('manager', async (s) => ({
    ...(await named(s)),
    body: { action: 'export' },
  })),
  [`GET ${ORG}/data-requests/[request]/certificate`]: row('manager', (s) => named(s, 'erased')),
  [`GET ${ORG}/data-requests/[request]/export`]: row('manager', (s, asker) =>
    named(s, 'counted', asker.userId),
  ),
};
