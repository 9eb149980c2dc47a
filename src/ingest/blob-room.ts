import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { FILES_MAX } from '#pipeline/crash-reports/unreal/read-container.ts';
import type { RetentionStore } from '#product/retention/store/retention-store.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import {
  findBlobRefusal,
  indexStorage,
  type StorageIndex,
  type StorageState,
} from '#protocol/storage-budget.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { DiskMeter } from '#storage/ports/stored-days.ts';

const REFRESH_MS = 5_000;
/** A measurement that is older says too little: the jobs role or the database is away. Then the edge measures by itself. */
const STALE_MS = 3 * MINUTE_MS;
const MEASURE_INTERVAL_MS = MINUTE_MS;
/** A refused sender is told to wait so long; the disk is measured as often. */
const REFUSED_MS = MINUTE_MS;
/** Bytes that arrived are summed by this time, so that a measurement can be told from what came after it. */
const SUM_MS = 5_000;

export type BlobRoomDeps = {
  retention: Pick<RetentionStore, 'findState'>;
  disk: DiskMeter;
  blobs: Pick<BlobStore, 'listUsage' | 'isLocal'>;
};

type Sums = { at: number; all: number; byProject: Map<number, number> };

/**
 * Whether the disk has room for blobs of a project, by the last measurement and by what this edge took since then: a
 * flood between two measurements is stopped as well.
 */
export class BlobRoom {
  readonly #deps: BlobRoomDeps;
  readonly #log: Log;
  readonly #onState: (state: StorageState) => void;
  #index: StorageIndex | null = null;
  /** Oldest first; none is older than the measurement. */
  #sums: Sums[] = [];
  #timer: NodeJS.Timeout | null = null;
  #own: StorageState | null = null;
  #isRefreshing = false;

  constructor(deps: BlobRoomDeps, log: Log, onState: (state: StorageState) => void = () => {}) {
    this.#deps = deps;
    this.#log = log;
    this.#onState = onState;
  }

  start(): void {
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      const state = await this.#findState();
      this.#index = indexStorage(state);
      this.#onState(state);
      this.#sums = this.#sums.filter(({ at }) => at + SUM_MS > state.measuredAt);
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'Disk usage could not be read; using the last known value');
    } finally {
      this.#isRefreshing = false;
    }
  }

  async #findState(): Promise<StorageState> {
    const stored = await this.#deps.retention.findState().catch(() => null);
    if (stored && Date.now() - stored.measuredAt < STALE_MS) return stored;
    if (!this.#own || Date.now() - this.#own.measuredAt >= MEASURE_INTERVAL_MS)
      this.#own = await this.#measure();
    return this.#own;
  }

  async #measure(): Promise<StorageState> {
    const measuredAt = Date.now();
    const [{ usedBytes, budgetBytes }, usage] = await Promise.all([
      this.#deps.disk.measure(),
      this.#deps.blobs.isLocal ? this.#deps.blobs.listUsage() : [],
    ]);
    const byProject = Map.groupBy(usage, ({ projectId }) => projectId);
    const projects = [...byProject].map(([projectId, days]) => {
      const blobBytes = days.reduce((sum, { bytes }) => sum + bytes, 0);
      return { projectId, bytes: blobBytes, blobBytes, budgetBytes: null };
    });
    return { measuredAt, usedBytes, budgetBytes, projects };
  }

  /** The limit that refuses blobs of the project now; null when they are taken. */
  findLimit(projectId: number, nowMs: number): ActiveLimit | null {
    // Blobs that lie elsewhere take nothing of this disk.
    if (!this.#index || !this.#deps.blobs.isLocal) return null;
    let all = 0;
    let own = 0;
    for (const sums of this.#sums) {
      all += sums.all;
      own += sums.byProject.get(projectId) ?? 0;
    }
    return findBlobRefusal(this.#index, projectId, { all, own }) === null
      ? null
      : { quota: blobQuota(projectId), untilMs: nowMs + REFUSED_MS };
  }

  /** Counts what a blob of the project takes of the disk, or, with a negative number, what was removed again. */
  add(projectId: number, bytes: number, nowMs: number): void {
    if (bytes === 0) return;
    let sums = this.#sums.at(-1);
    if (!sums || nowMs - sums.at >= SUM_MS) {
      sums = { at: nowMs, all: 0, byProject: new Map() };
      this.#sums.push(sums);
    }
    sums.all += bytes;
    sums.byProject.set(projectId, (sums.byProject.get(projectId) ?? 0) + bytes);
    // Without measurements (the jobs role is down) the sums go on counting, in one piece.
    if (this.#sums.length > SUMS_MAX) this.#sums = [mergeSums(this.#sums)];
  }
}

/** Of the file systems that servers have: a blob of one byte takes a whole one. */
const BLOCK_BYTES = 4_096;

/** What a file takes of the disk. */
export const occupiedBytes = (fileBytes: number): number => Math.ceil(fileBytes / BLOCK_BYTES) * BLOCK_BYTES;

/** Sums of recent writes; more are merged into one. */
const SUMS_MAX = 120;

function mergeSums(all: readonly Sums[]): Sums {
  const merged: Sums = { at: all.at(-1)?.at ?? 0, all: 0, byProject: new Map() };
  for (const sums of all) {
    merged.all += sums.all;
    for (const [projectId, bytes] of sums.byProject)
      merged.byProject.set(projectId, (merged.byProject.get(projectId) ?? 0) + bytes);
  }
  return merged;
}

const blobQuota = (projectId: number): ActiveLimit['quota'] => ({
  id: `blobs:${projectId}`,
  scope: 'project',
  ownerId: projectId,
  categories: ['attachment', 'replay', 'profile', 'profile_chunk'],
  limit: 0,
  windowSeconds: REFUSED_MS / 1000,
  reasonCode: BLOB_BUDGET,
});

/** Reason of the outcome. */
export const BLOB_BUDGET = 'blob_budget';

/**
 * Compressed, each about as large as the report: itself, what digest unpacks for a moment, and the files in it together.
 * Digest asks for no room, so the edge counts all three.
 */
const COPIES_OF_REPORT = 3;

/** What a report of Unreal takes of the disk at most: each file in it takes a block, however short it is. */
export const occupiedByReport = (fileBytes: number): number =>
  COPIES_OF_REPORT * occupiedBytes(fileBytes) + FILES_MAX * occupiedBytes(1);
