import type { FaultPoints } from '#lib/fault-points.ts';
import type { Stores } from '#product/stores.ts';
import type { BackupLock } from '#storage/ports/backup-sources.ts';
import { PERSON_KINDS, type PersonCount } from '#storage/ports/person-data.ts';
import type { DataCounts } from './data-request.ts';
import type { DataRequestChange } from './store/data-request-store.ts';

export type DataRequestDeps = {
  stores: Stores;
  backupLock: BackupLock;
  faults: FaultPoints;
  now: () => number;
  /** Stops between two steps. */
  signal?: AbortSignal;
};

/** What a step says of the request. Throws when it was canceled, or another worker has it by now. */
export type RecordChange = (
  change: DataRequestChange,
  within?: Pick<Stores, 'dataRequests'>,
) => Promise<void>;

/** Copies for the use of the store count as nothing of their own; recordings and profiles count as files too. */
export function countByKind(counts: readonly PersonCount[]): DataCounts {
  const sums: DataCounts = {};
  for (const kind of PERSON_KINDS) {
    if (kind === 'stagedEvents') continue;
    const rows = counts.filter((count) => count.kind === kind).reduce((sum, count) => sum + count.rows, 0);
    if (rows > 0) sums[kind] = rows;
  }
  const files = (sums.attachments ?? 0) + (sums.replaySegments ?? 0) + (sums.profiles ?? 0);
  return files > 0 ? { ...sums, files } : sums;
}
