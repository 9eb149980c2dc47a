import { decodeRecord, encodeRecord } from '#ingest/spool-record.ts';
import { conflict, notFound } from '#lib/errors.ts';
import type { QuarantineStore } from '#storage/ports/digest.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';

/**
 * Gives a quarantined record to the digest of this spool again. Throws NotFound, and Conflict when it was given before or
 * its project is deleted.
 */
export async function replayRecord(quarantine: QuarantineStore, spool: string, id: number): Promise<void> {
  const item = await quarantine.find(id);
  if (!item) throw notFound(`Nothing in quarantine has the number ${id}: see errata quarantine list`);
  // A replay is no duplicate of what was stored before, so a second one would be counted twice.
  if (item.replayedAt !== null) throw conflict(`Number ${id} has been replayed already`);
  if (await quarantine.isOfDeletedProject(id)) {
    throw conflict(
      `Number ${id} is of project ${item.projectId}, which was deleted: it cannot be replayed, and goes with what else the project stored`,
    );
  }
  // What the edge had decided was counted when the record was set aside.
  const record = encodeRecord({ ...decodeRecord(item.record), isReplay: true, outcomes: [] });
  await putIntoInbox(spool, record);
  await quarantine.markReplayed(id, Date.now());
}
