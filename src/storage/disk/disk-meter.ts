import type { Dirent } from 'node:fs';
import { lstat, opendir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskMeter, DiskUsage } from '#storage/ports/stored-days.ts';

/** The engines' folders below the data directory, and ours. */
const PARTS: Readonly<Record<string, keyof DiskUsage['parts']>> = {
  clickhouse: 'clickhouse',
  postgres: 'postgres',
  spool: 'spool',
  blobs: 'blobs',
  artifacts: 'artifacts',
};
/**
 * Backups made before upgrades, below the data directory. They are no data that could be dropped for the budget, and few: see
 * main/upgrade/upgrade-backup.ts.
 */
export const UPGRADE_BACKUPS = 'upgrade-backups';
/** Files whose size is read at the same time. */
const STATS_MAX = 32;
const BLOCK_BYTES = 512;

/** Without a setting: the lower of this and a share of the volume. */
const BUDGET_BYTES_DEFAULT = 10 * 1024 ** 3;
/** Share of the volume that the default budget may take. */
const VOLUME_SHARE_MAX = 0.8;

/** `budgetBytes` null: the default. */
export function createDiskMeter(dataDir: string, budgetBytes: number | null): DiskMeter {
  return {
    async measure() {
      const parts = { clickhouse: 0, postgres: 0, spool: 0, blobs: 0, artifacts: 0, other: 0 };
      const counted: CountedLinks = new Set();
      for await (const entry of entriesOf(dataDir)) {
        if (entry.name === UPGRADE_BACKUPS) continue;
        const part = PARTS[entry.name] ?? 'other';
        parts[part] += await sizeOf(join(dataDir, entry.name), entry, counted);
      }
      const volume = await statfs(dataDir);
      const volumeBytes = volume.blocks * volume.bsize;
      return {
        usedBytes: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0),
        parts,
        budgetBytes:
          budgetBytes ?? Math.floor(Math.min(BUDGET_BYTES_DEFAULT, volumeBytes * VOLUME_SHARE_MAX)),
        volumeBytes,
        freeBytes: volume.bavail * volume.bsize,
      };
    },
  };
}

/** Files with several names that were counted: while a backup holds parts, each has two. */
type CountedLinks = Set<number>;

/** Bytes that a file, or everything below a folder, occupies; what vanishes meanwhile counts nothing. */
async function sizeOf(path: string, entry: Dirent, counted: CountedLinks): Promise<number> {
  if (!entry.isDirectory()) return await occupied(path, counted);
  let bytes = await occupied(path, counted);
  let pending: Promise<number>[] = [];
  for await (const child of entriesOf(path)) {
    const childPath = join(path, child.name);
    if (child.isDirectory()) bytes += await sizeOf(childPath, child, counted);
    else pending.push(occupied(childPath, counted));
    if (pending.length >= STATS_MAX) {
      bytes += await sum(pending);
      pending = [];
    }
  }
  return bytes + (await sum(pending));
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

async function occupied(path: string, counted: CountedLinks): Promise<number> {
  try {
    const facts = await lstat(path);
    if (facts.nlink > 1 && facts.isFile()) {
      if (counted.has(facts.ino)) return 0;
      counted.add(facts.ino);
    }
    return facts.blocks * BLOCK_BYTES;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

const sum = async (pending: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(pending)).reduce((total, bytes) => total + bytes, 0);

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
