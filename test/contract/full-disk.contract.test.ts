import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { mountSmallVolume, NO_VOLUME, type SmallVolume } from '../harness/small-volume.ts';

const MIB = 1024 * 1024;
const UNAVAILABLE = { name: 'ErrataError', code: 'unavailable' };

let volume: SmallVolume | null;
const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);

beforeEach((context) => {
  volume = mountSmallVolume(16);
  if (volume === null) context.skip(NO_VOLUME);
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  // A rejection that nobody catches would end the process.
  await delay(50);
  process.off('unhandledRejection', note);
  volume?.unmount();
  expect(unhandled).toEqual([]);
});

const mounted = (): SmallVolume => {
  if (volume === null) throw new Error(NO_VOLUME);
  return volume;
};

test('event ids are refused as unavailable, none is half remembered, and afterwards they are taken', async () => {
  const { folder, fill, empty } = mounted();
  const ids = openRecentIds(path.join(folder, 'ids'));
  const batch = (from: number) =>
    Array.from({ length: 500 }, (_, index) => ({
      projectId: 1,
      eventId: randomBytes(16).toString('hex'),
      position: from + index,
    }));
  const first = batch(1);
  await ids.remember(first, Date.now());
  fill();
  const refused = batch(1_000);
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(ids.remember(refused, Date.now())).rejects.toMatchObject(UNAVAILABLE);
  }
  expect(refused.filter(({ eventId }) => ids.find(1, eventId) !== null)).toEqual([]);
  empty();
  await ids.remember(refused, Date.now());
  for (const { eventId, position } of [...first, ...refused]) expect(ids.find(1, eventId)).toBe(position);
  await ids.close();
});

test('blobs are refused as unavailable and leave nothing behind', async () => {
  const { folder, fill, empty } = mounted();
  const blobs = openDiskBlobStore(path.join(folder, 'blobs'));
  const key = '2026-11-02/1/dump' as Parameters<typeof blobs.put>[0];
  fill();
  await expect(blobs.put(key, randomBytes(MIB))).rejects.toMatchObject(UNAVAILABLE);
  expect(await blobs.size(key)).toBeNull();
  empty();
  await blobs.put(key, Buffer.alloc(MIB, 7));
  expect(await blobs.readWhole(key, MIB)).toEqual(Buffer.alloc(MIB, 7));
});

test('uploads are refused as unavailable and leave nothing behind', async () => {
  const { folder, fill, empty } = mounted();
  const uploads = openDiskArtifactFileStore(path.join(folder, 'artifacts'));
  const bytes = Buffer.alloc(MIB, 7);
  const put = async () => {
    const writer = await uploads.create(1, { expected: null, bytesMax: MIB });
    try {
      writer.write(bytes);
      return await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  };
  fill();
  await expect(put()).rejects.toMatchObject(UNAVAILABLE);
  expect(await uploads.listOlder(Number.POSITIVE_INFINITY, null, 10)).toEqual([]);
  empty();
  const { checksum } = await put();
  expect(await uploads.has(1, checksum)).toBe(true);
});

test('a spool that cannot grow refuses as unavailable; what it has taken is read, acknowledged and kept', async () => {
  const { folder, fill, empty } = mounted();
  const spool = path.join(folder, 'spool');
  const writer = openSpoolWriter(spool, 64 * MIB, { segmentBytes: MIB });
  const reader = openSpoolReader(spool);
  const taken: Buffer[] = [];
  const append = async (bytes: number): Promise<boolean> => {
    const record = randomBytes(bytes);
    try {
      await writer.append([record]);
    } catch (error) {
      expect(error).toMatchObject(UNAVAILABLE);
      return false;
    }
    taken.push(record);
    return true;
  };
  for (let index = 0; index < 5; index++) expect(await append(1_000)).toBe(true);
  fill();
  let refused = 0;
  for (let index = 0; index < 100; index++) if (!(await append(100_000))) refused += 1;
  expect(refused).toBeGreaterThan(0);
  expect(writer.trouble()).toMatch(/^the disk refuses: /);
  const read = () =>
    reader.read(0, { records: 1_000, bytes: 64 * MIB }).map(({ bytes }) => Buffer.from(bytes));
  expect(read()).toEqual(taken);
  empty();
  await expect.poll(() => writer.trouble(), { timeout: 15_000 }).toBeNull();
  await expect.poll(() => append(100_000), { timeout: 5_000 }).toBe(true);
  expect(read()).toEqual(taken);
  await reader.acknowledge(taken.length);
  expect(reader.depth()).toBe(0);
  await Promise.all([writer.close(), reader.close()]);
});

test('the note of what digest works on is written over where it lies', () => {
  const { folder, fill } = mounted();
  const file = path.join(folder, 'attempt.json');
  new AttemptFile(file).begin(0, 10);
  fill();
  const next = new AttemptFile(file);
  expect(next.suspectsAfter(0)).toEqual({ to: 10, deaths: new Map() });
  next.mark(4, 0, 10);
  expect(new AttemptFile(file).suspectsAfter(0)?.deaths).toEqual(new Map([[4, 1]]));
});

test('a first note that finds no room is refused as unavailable', () => {
  const { folder, fill } = mounted();
  fill();
  let thrown: unknown = null;
  try {
    new AttemptFile(path.join(folder, 'attempt.json')).begin(0, 10);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject(UNAVAILABLE);
});
