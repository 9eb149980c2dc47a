/** How the disk budget is divided, and when new blobs are refused so that events still fit. */

/** Of the budget: what attachments, recordings, profiles and dumps of all projects together may occupy. */
export const BLOB_SHARE = 0.5;
/** Of the budget or of a share of it: data is dropped from here on, and down to there. */
export const BUDGET_HIGH = 0.95;
export const BUDGET_LOW = 0.85;
/** Of the budget: from here on floods and blobs are dropped, so that events need not be. */
export const BLOBS_HIGH = 0.9;
/** Of the budget: from here on blobs are refused of projects that use more than their fair share. */
export const BLOBS_REFUSED = 0.92;
/** Of the budget: from here on all blobs are refused. */
export const BLOBS_REFUSED_ALL = 0.97;
/** Of the budget or of the blobs' share: from here on no project may add more than `GROWTH_MAX` between two measurements. */
const GROWTH_WATCHED = 0.8;
/** Share of the budget that one project may add between two measurements. */
const GROWTH_MAX = 0.02;

export type ProjectUsage = {
  projectId: number;
  /** Of everything, blobs included. */
  bytes: number;
  blobBytes: number;
  /** What a person decided; null for an automatic share. */
  budgetBytes: number | null;
};

/** One measurement of the disk, taken each minute. */
export type StorageState = {
  /** Milliseconds since the epoch. */
  measuredAt: number;
  usedBytes: number;
  budgetBytes: number;
  /** Projects that have something stored, or a budget. */
  projects: readonly ProjectUsage[];
};

export type BlobRefusal = 'project_budget' | 'project_growth' | 'blob_share' | 'near_budget' | 'full';

/** A measurement, prepared for being asked at every request. */
export type StorageIndex = Pick<StorageState, 'usedBytes' | 'budgetBytes'> & {
  byProject: ReadonlyMap<number, ProjectUsage>;
  blobBytes: number;
  /** Projects that have something stored. */
  senders: number;
};

export const indexStorage = ({ usedBytes, budgetBytes, projects }: StorageState): StorageIndex => ({
  usedBytes,
  budgetBytes,
  byProject: new Map(projects.map((project) => [project.projectId, project])),
  blobBytes: projects.reduce((sum, { blobBytes }) => sum + blobBytes, 0),
  senders: Math.max(1, projects.filter(({ bytes }) => bytes > 0).length),
});

/**
 * Why a project's next blob is refused; null when it is taken. `added` is what arrived since the measurement, of all
 * projects and of this one. Whoever uses more than an equal share is refused first, so that one sender's flood leaves
 * room for the others.
 */
export function findBlobRefusal(
  index: StorageIndex,
  projectId: number,
  added: { all: number; own: number } = { all: 0, own: 0 },
): BlobRefusal | null {
  const { budgetBytes, senders } = index;
  const used = index.usedBytes + added.all;
  if (used >= budgetBytes * BLOBS_REFUSED_ALL) return 'full';
  const own = index.byProject.get(projectId);
  const ownBytes = (own?.bytes ?? 0) + added.own;
  if (own?.budgetBytes != null && ownBytes >= own.budgetBytes) return 'project_budget';
  const shareBytes = budgetBytes * BLOB_SHARE;
  const blobBytes = index.blobBytes + added.all;
  const isWatched = used >= budgetBytes * GROWTH_WATCHED || blobBytes >= shareBytes * GROWTH_WATCHED;
  if (isWatched && added.own >= budgetBytes * GROWTH_MAX) return 'project_growth';
  if (used >= budgetBytes * BLOBS_REFUSED && ownBytes >= (budgetBytes * BUDGET_LOW) / senders)
    return 'near_budget';
  const ownBlobBytes = (own?.blobBytes ?? 0) + added.own;
  return blobBytes >= shareBytes && ownBlobBytes >= (shareBytes * BUDGET_LOW) / senders ? 'blob_share' : null;
}
