import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { DataCounts } from './data-request.ts';
import { EXPORT_DAYS } from './data-requests.ts';
import { queryOf } from './identifiers.ts';
import { countByKind, type DataRequestDeps, type RecordChange } from './request-work.ts';
import { runErasure } from './run-erasure.ts';
import type { ClaimedRequest } from './store/data-request-store.ts';
import { writeExport } from './write-export.ts';

/** Who is silent for so long loses the request. */
export const LEASE_MS = 60_000;

/** Works on a request until it is done, waits for something, or another worker has it. May be interrupted anywhere. */
export async function runDataRequest(
  deps: DataRequestDeps,
  request: ClaimedRequest,
  owner: string,
): Promise<void> {
  const { stores, now } = deps;
  const { dataRequests } = stores;
  const record: RecordChange = async (change, within = stores) => {
    if (!(await within.dataRequests.change(request.id, owner, change, LEASE_MS, now())))
      throw new Error('The request was canceled, or another worker has taken it over');
  };
  const beat = setInterval(() => {
    dataRequests.extend(request.id, owner, LEASE_MS, now()).catch(() => {});
  }, LEASE_MS / 4);
  try {
    if (request.state === 'counting') await countData(deps, request, record);
    else if (request.state === 'exporting') await exportRequest(deps, request, record);
    else await runErasure(deps, request, record);
  } finally {
    clearInterval(beat);
  }
}

async function countData(
  { stores, now, faults }: DataRequestDeps,
  request: ClaimedRequest,
  record: RecordChange,
) {
  const { id, organizationId, identifiers } = request;
  await stores.personRows.note(id, queryOf(organizationId, identifiers, now()));
  faults.reach('data-request-counted');
  const found = await findCounts(stores, request);
  await record({ state: 'counted', found, countedAt: now() });
}

/** Rows and texts by kind, and the files that rows name. */
async function findCounts(
  stores: Stores,
  { id, organizationId, identifiers }: ClaimedRequest,
): Promise<DataCounts> {
  const rows = countByKind(await stores.personRows.count(id));
  const texts = await stores.personTexts.count(organizationId, identifiers);
  return { ...rows, ...texts };
}

async function exportRequest(
  { stores, now }: DataRequestDeps,
  request: ClaimedRequest,
  record: RecordChange,
) {
  // What arrived since it was counted belongs to it.
  await stores.personRows.note(request.id, queryOf(request.organizationId, request.identifiers, now()));
  // Throws, before anything is written, for a request that was canceled meanwhile.
  await record({});
  const written = await writeExport(stores, request, now);
  try {
    await record({
      state: 'counted',
      export: { ...written, expiresAt: now() + EXPORT_DAYS * DAY_MS },
      found: await findCounts(stores, request),
    });
  } catch (error) {
    // Canceled while it was written: the archive that was deleted then is there again, and nothing names it.
    const over = await stores.dataRequests.filterOver([request.id]);
    for (const id of over) await stores.exportFiles.delete(id);
    throw error;
  }
}
