import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '#lib/time.ts';
import type { ArtifactFilePlace } from '#storage/ports/artifact-files.ts';
import { isChecksum, isOrganization, isShard } from './artifact-file-path.ts';
import { TEMPORARY_PREFIX } from './durable-file.ts';

/** No upload takes this long without a byte: a file that has not grown since belongs to nobody any more. */
const STALE_MS = HOUR_MS;

/** By organization, then checksum. */
export async function listOlderArtifacts(
  root: string,
  writtenBefore: number,
  after: ArtifactFilePlace | null,
  limit: number,
): Promise<readonly ArtifactFilePlace[]> {
  const found: ArtifactFilePlace[] = [];
  const organizations = (await namesIn(root)).filter(isOrganization).map(Number).sort(ascending);
  for (const organizationId of organizations) {
    if (after && organizationId < after.organizationId) continue;
    const from = after?.organizationId === organizationId ? after.checksum : '';
    const folder = join(root, String(organizationId));
    for (const shard of (await namesIn(folder)).filter(isShard).sort()) {
      if (shard < from.slice(0, 2)) continue;
      for (const checksum of (await namesIn(join(folder, shard))).filter(isChecksum).sort()) {
        if (checksum <= from) continue;
        const facts = await lstat(join(folder, shard, checksum)).catch(ignoreMissing);
        if (!facts || facts.mtimeMs >= writtenBefore) continue;
        found.push({ organizationId, checksum });
        if (found.length >= limit) return found;
      }
    }
  }
  return found;
}

/** Removes what was being written when a process died; answers how many files. */
export async function removeAbandonedUploads(root: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(root)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const file = join(root, name);
    const facts = await lstat(file).catch(ignoreMissing);
    if (!facts || nowMs - facts.mtimeMs < STALE_MS) continue;
    await unlink(file).catch(ignoreMissing);
    removed += 1;
  }
  return removed;
}

/** None when the folder is not there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    ignoreMissing(error);
    return [];
  }
}

function ignoreMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
  throw error;
}

const ascending = (a: number, b: number): number => a - b;
