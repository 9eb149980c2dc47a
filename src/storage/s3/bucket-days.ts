import {
  type BlobKey,
  isBlobDay,
  isBlobName,
  isBlobProject,
  requireBlobDay,
  requireBlobProject,
} from '#protocol/blob-key.ts';
import type { BlobUsage } from '#storage/ports/blobs.ts';
import type { Bucket, ListedObject } from './bucket.ts';

/** Objects deleted at once. */
const DELETES_AT_ONCE_MAX = 16;

/** Days of which there are blobs, oldest first; whatever else lies in the bucket is not ours. */
export async function listBucketDays(bucket: Bucket): Promise<readonly string[]> {
  const days: string[] = [];
  for await (const page of bucket.listFolders()) days.push(...page.filter(isBlobDay));
  return days.sort();
}

/** By day and project, oldest day first. */
export async function listBucketUsage(bucket: Bucket): Promise<readonly BlobUsage[]> {
  const usage: BlobUsage[] = [];
  for (const day of await listBucketDays(bucket)) {
    const byProject = new Map<number, BlobUsage>();
    for await (const page of ownObjects(bucket, `${day}/`)) {
      for (const { key, bytes } of page) {
        const projectId = Number(key.split('/')[1]);
        const known = byProject.get(projectId) ?? { day, projectId, bytes: 0, blobs: 0 };
        byProject.set(projectId, { ...known, bytes: known.bytes + bytes, blobs: known.blobs + 1 });
      }
    }
    usage.push(...[...byProject.values()].sort((a, b) => a.projectId - b.projectId));
  }
  return usage;
}

export async function* listBucketKeys(bucket: Bucket, day: string): AsyncGenerator<readonly BlobKey[]> {
  requireBlobDay(day);
  for await (const page of ownObjects(bucket, `${day}/`)) yield page.map(({ key }) => key);
}

export async function deleteBucketDay(
  bucket: Bucket,
  day: string,
): Promise<{ bytes: number; blobs: number }> {
  requireBlobDay(day);
  const freed = { bytes: 0, blobs: 0 };
  for await (const page of ownObjects(bucket, `${day}/`)) await deleteObjects(bucket, page, freed);
  return freed;
}

export async function deleteUnnamedObjects(
  bucket: Bucket,
  { day, projectId }: { day: string; projectId: number },
  findNamed: (keys: readonly BlobKey[]) => Promise<ReadonlySet<BlobKey>>,
  beforeMs: number,
): Promise<{ bytes: number; blobs: number }> {
  requireBlobDay(day);
  requireBlobProject(String(projectId));
  const freed = { bytes: 0, blobs: 0 };
  for await (const page of ownObjects(bucket, `${day}/${projectId}/`)) {
    const old = page.filter(({ modifiedMs }) => modifiedMs < beforeMs);
    if (old.length === 0) continue;
    const named = await findNamed(old.map(({ key }) => key));
    await deleteObjects(
      bucket,
      old.filter(({ key }) => !named.has(key)),
      freed,
    );
  }
  return freed;
}

async function deleteObjects(
  bucket: Bucket,
  objects: readonly ListedObject[],
  freed: { bytes: number; blobs: number },
): Promise<void> {
  // One by one: not every server takes the request that deletes many.
  for (let start = 0; start < objects.length; start += DELETES_AT_ONCE_MAX) {
    const some = objects.slice(start, start + DELETES_AT_ONCE_MAX);
    await Promise.all(some.map(({ key }) => bucket.delete(key)));
    for (const { bytes } of some) freed.bytes += bytes;
    freed.blobs += some.length;
  }
}

async function* ownObjects(bucket: Bucket, folder: string): AsyncGenerator<readonly ListedObject[]> {
  for await (const page of bucket.list(folder)) yield page.filter(({ key }) => isOwn(key));
}

function isOwn(key: string): boolean {
  const [day = '', project = '', name = '', ...rest] = key.split('/');
  return rest.length === 0 && isBlobDay(day) && isBlobProject(project) && isBlobName(name);
}
