import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Stores } from '#product/stores.ts';
import type { ArtifactFilePlace, Checksum } from '#storage/ports/artifact-files.ts';
import { CHUNK_HOURS } from './upload-limits.ts';

/** Uploads that served no event and were not uploaded again for so long are deleted. */
export const UNUSED_DAYS = 90;
/** Longer than any request: what was written since may be about to get the row that needs it. */
const BYTES_WAIT_MS = HOUR_MS;
const ROWS_AT_ONCE = 500;
/** With thousands of files each, which go with them. */
const BUNDLES_AT_ONCE = 50;
/** Of each kind; the next run goes on. */
const ROUNDS_MAX = 100;
const FILES_AT_ONCE = 500;

type ExpiryStores = Pick<Stores, 'artifacts' | 'artifactFiles'>;

/** `abandoned`: files that were never whole. */
export type ExpiredUploads = {
  chunks: number;
  bundles: number;
  mappings: number;
  files: number;
  abandoned: number;
};

/** Deletes unfinished and unused uploads, and unreferenced bytes. Safe to interrupt and repeat. */
export async function expireUploads(stores: ExpiryStores, nowMs: number): Promise<ExpiredUploads> {
  const { artifacts } = stores;
  const unusedSince = nowMs - UNUSED_DAYS * DAY_MS;
  // A part is offered for its hours, and kept a little longer for whoever was told just before that it is there.
  const chunksBefore = nowMs - (CHUNK_HOURS + 1) * HOUR_MS;
  return {
    chunks: await repeat(ROWS_AT_ONCE, (limit) => artifacts.forgetChunks(chunksBefore, limit)),
    bundles: await repeat(BUNDLES_AT_ONCE, (limit) => artifacts.forgetUnusedBundles(unusedSince, limit)),
    mappings: await repeat(ROWS_AT_ONCE, (limit) =>
      artifacts.forgetUnusedDeobfuscationFiles(unusedSince, limit),
    ),
    files: await deleteUnneededFiles(stores, nowMs - BYTES_WAIT_MS),
    abandoned: await stores.artifactFiles.removeAbandoned(nowMs),
  };
}

async function repeat(limit: number, round: (limit: number) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const done = await round(limit);
    sum += done;
    if (done < limit) break;
  }
  return sum;
}

/** Also what a crash left between the bytes and their row. */
async function deleteUnneededFiles(
  { artifacts, artifactFiles }: ExpiryStores,
  writtenBefore: number,
): Promise<number> {
  let deleted = 0;
  let place: ArtifactFilePlace | null = null;
  do {
    const files: readonly ArtifactFilePlace[] = await artifactFiles.listOlder(
      writtenBefore,
      place,
      FILES_AT_ONCE,
    );
    for (const [organizationId, checksums] of byOrganization(files)) {
      for (const checksum of await artifacts.findUnneeded(organizationId, checksums)) {
        if (await artifactFiles.delete(organizationId, checksum, writtenBefore)) deleted += 1;
      }
    }
    place = files.length === FILES_AT_ONCE ? (files.at(-1) ?? null) : null;
  } while (place !== null);
  return deleted;
}

function byOrganization(files: readonly ArtifactFilePlace[]): ReadonlyMap<number, Checksum[]> {
  const groups = new Map<number, Checksum[]>();
  for (const { organizationId, checksum } of files) {
    const group = groups.get(organizationId) ?? [];
    group.push(checksum);
    groups.set(organizationId, group);
  }
  return groups;
}
