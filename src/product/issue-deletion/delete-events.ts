import type { Stores } from '#product/stores.ts';
import type { EventDeletion } from '#storage/ports/deleted-data.ts';

/** Deletions of one run; the next run goes on. */
export const DELETIONS_PER_RUN_MAX = 20;
export const BLOBS_PER_PAGE = 500;
/** Attachments that one run removes of one deletion; the next run goes on. */
export const BLOB_PAGES_MAX = 40;

type DeletionStores = Pick<Stores, 'issueDeletions' | 'deletedEvents' | 'blobs' | 'storedDays'>;

/**
 * Removes the events of deleted issues: bodies of attachments, then what hangs on the events and the events themselves.
 * May be interrupted anywhere; the next run repeats what was not finished. A deletion with more attachments than one run
 * removes goes on behind the others. Answers how many deletions are done.
 */
export async function deleteEvents(stores: DeletionStores, now: () => number): Promise<number> {
  let done = 0;
  for (const deletion of await stores.issueDeletions.listWaiting(DELETIONS_PER_RUN_MAX)) {
    if (!(await deleteBlobs(stores, deletion))) {
      await stores.issueDeletions.postpone(deletion.id);
      continue;
    }
    await stores.deletedEvents.deleteEvents(deletion);
    await deleteEmptyIssues(stores, deletion);
    await stores.issueDeletions.finish(deletion.id, now());
    done += 1;
  }
  return done;
}

/** False when some are left for the next run, which finds the rows of the others gone. */
async function deleteBlobs(
  { deletedEvents, blobs }: DeletionStores,
  deletion: EventDeletion,
): Promise<boolean> {
  let after = '';
  for (let page = 0; page < BLOB_PAGES_MAX; page += 1) {
    const keys = await deletedEvents.listBlobKeys(deletion, after, BLOBS_PER_PAGE);
    for (const key of keys) await blobs.delete(key);
    if (keys.length < BLOBS_PER_PAGE) return true;
    after = keys.at(-1) ?? after;
  }
  await deletedEvents.deleteBlobRows(deletion, after);
  return false;
}

/**
 * An event that arrived before its issue was deleted, and was digested after it, has made an issue of its own: the event
 * is gone now, and the issue is empty.
 */
async function deleteEmptyIssues(
  { issueDeletions, storedDays }: DeletionStores,
  { projectId, hashes }: EventDeletion,
): Promise<void> {
  for (const issue of await issueDeletions.listIssuesOf(projectId, hashes)) {
    const alive = await storedDays.findHashesWithEvents(issue.hashes.map((hash) => ({ projectId, hash })));
    if (alive.size === 0) await issueDeletions.deleteEmpty(issue.issueId, issue.timesSeen);
  }
}
