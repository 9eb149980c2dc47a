import { findSpoolWait } from '#product/spool/spool-wait.ts';
import type { Stores } from '#product/stores.ts';
import type { DeletedProject } from '#storage/ports/deleted-data.ts';

/** Projects of one run; the next run goes on. */
export const PROJECTS_PER_RUN_MAX = 5;
export const BLOBS_PER_PAGE = 500;
/** Blobs that one run removes of one project; the next run goes on. */
export const BLOB_PAGES_MAX = 40;
/** What was on its way when a project was deleted is in a spool by then, and what a machine digests has been reported. */
const LAST_SWEEP_AFTER_MS = 60 * 60_000;

type DeletionStores = Pick<
  Stores,
  'projectDeletions' | 'deletedProjectData' | 'blobs' | 'quarantine' | 'ingestMarks'
>;

/**
 * Deletes data of deleted projects, at once and again after an hour, or later when a spool holds data from before the deletion
 * for longer. Safe to interrupt. Returns how many were swept.
 */
export async function deleteProjectData(stores: DeletionStores, nowMs: number): Promise<number> {
  const marks = await stores.ingestMarks.list();
  const isStored = ({ deletedAt }: DeletedProject) =>
    nowMs - deletedAt >= LAST_SWEEP_AFTER_MS && findSpoolWait(marks, deletedAt, nowMs).waitsFor === null;
  const due = (await stores.projectDeletions.listDeleted()).filter(
    (project) => project.sweeps === 0 || isStored(project),
  );
  let swept = 0;
  for (const project of due.slice(0, PROJECTS_PER_RUN_MAX)) {
    // Before anything goes, and once for each sweep.
    if ((project.counted ?? 0) <= project.sweeps) {
      await stores.projectDeletions.noteCounts(project, await stores.deletedProjectData.countRows(project));
    }
    if (!(await deleteBlobs(stores, project))) {
      await stores.projectDeletions.postpone(project.projectId);
      continue;
    }
    await stores.deletedProjectData.deleteRows(project);
    await stores.quarantine.deleteOfProject(project.organizationId, project.projectId);
    if (project.sweeps === 0) await stores.projectDeletions.noteSweep(project.projectId);
    else {
      await deleteUnnamedBlobs(stores, project, nowMs);
      await stores.projectDeletions.forget(project.projectId);
    }
    swept += 1;
  }
  return swept;
}

/** False when some are left for the next run, which finds the rows of the others gone. */
async function deleteBlobs(
  { deletedProjectData, blobs }: DeletionStores,
  project: DeletedProject,
): Promise<boolean> {
  let after = '';
  for (let page = 0; page < BLOB_PAGES_MAX; page += 1) {
    const keys = await deletedProjectData.listBlobKeys(project, after, BLOBS_PER_PAGE);
    for (const key of keys) await blobs.delete(key);
    if (keys.length < BLOBS_PER_PAGE) return true;
    after = keys.at(-1) ?? after;
  }
  await deletedProjectData.deleteBlobRows(project, after);
  return false;
}

/** Files that no row names: of requests that were cut off, and of records that were never stored. */
async function deleteUnnamedBlobs(
  { blobs }: DeletionStores,
  { projectId }: DeletedProject,
  nowMs: number,
): Promise<void> {
  for (const usage of await blobs.listUsage()) {
    if (usage.projectId !== projectId) continue;
    await blobs.deleteUnnamed(usage.day, projectId, async () => new Set<string>(), nowMs);
  }
}
