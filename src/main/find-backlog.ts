import { decodeRecord } from '#ingest/spool-record.ts';
import type { Log } from '#lib/log.ts';
import type { Backlog } from '#product/retention/dropper.ts';
import { hasOldSpool } from '#storage/lmdb/old-spool.ts';
import { readOldestWaiting } from '#storage/spool-files/read-oldest-waiting.ts';

/** What the spool in a folder holds that digest has not acknowledged. */
export async function findBacklog(folder: string, log: Log): Promise<Backlog> {
  try {
    if (hasOldSpool(folder)) return { kind: 'unknown' };
    const oldest = await readOldestWaiting(folder);
    if (oldest.kind !== 'waiting') return oldest;
    return { kind: 'waiting', sinceMs: decodeRecord(oldest.bytes).receivedAtMs };
  } catch (error) {
    log.warn({ error: String(error) }, 'What waits for digest cannot be read; blobs that no row names stay');
    return { kind: 'unknown' };
  }
}
