import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { invalid } from '#lib/errors.ts';
import { BlockPacker, FOOTER_BYTES, openBlockStream, readContentBytes } from '#lib/packed-blocks.ts';
import { type BlobKey, parseBlobKey } from '#protocol/blob-key.ts';
import type { BlobStore, BlobUsage, BlobWriter } from '#storage/ports/blobs.ts';
import type { Bucket } from './bucket.ts';
import {
  deleteBucketDay,
  deleteUnnamedObjects,
  listBucketDays,
  listBucketKeys,
  listBucketUsage,
} from './bucket-days.ts';
import { openBucketSource } from './bucket-source.ts';
import { openStagedFile, removeStaleFiles } from './staged-file.ts';

/**
 * Blobs as objects `<prefix><day>/<project>/<name>` of a bucket, in the same form as on disk. A body of unknown length is
 * compressed into a file first and sent by one request, so that an object is there whole or not at all, and nothing is left
 * behind in the bucket by whoever dies.
 */
export function openS3BlobStore(bucket: Bucket, stagingFolder: string): BlobStore {
  let hasSwept = false;
  return {
    isLocal: false,
    create(key) {
      parseBlobKey(key);
      if (!hasSwept) {
        hasSwept = true;
        // Nobody waits for it, and what it misses the next process removes.
        removeStaleFiles(stagingFolder, Date.now()).catch(() => {});
      }
      return openS3Writer(bucket, key, stagingFolder);
    },
    async put(key, bytes) {
      parseBlobKey(key);
      const chunks: Uint8Array[] = [];
      const packer = new BlockPacker((chunk) => chunks.push(chunk));
      packer.push(bytes);
      packer.end();
      const packed = Buffer.concat(chunks);
      await bucket.put(key, () => packed, packed.length, createHash('md5').update(packed).digest('base64'));
    },
    async read(key, range) {
      parseBlobKey(key);
      if (range && !(range.from >= 0 && range.from <= range.to)) {
        throw invalid(`${range.from} to ${range.to} is not a valid byte range`);
      }
      const source = await openBucketSource(bucket, key);
      if (!source) return null;
      return range && range.from === range.to ? Readable.from([]) : openBlockStream(source, range);
    },
    async readWhole(key, bytesMax) {
      parseBlobKey(key);
      const source = await openBucketSource(bucket, key);
      if (!source || (await readContentBytes(source)) > bytesMax) return null;
      return Buffer.concat(await (await openBlockStream(source)).toArray());
    },
    async size(key) {
      parseBlobKey(key);
      const source = await openBucketSource(bucket, key, FOOTER_BYTES);
      return source && readContentBytes(source);
    },
    async storedBytes(key) {
      parseBlobKey(key);
      return (await bucket.find(key))?.bytes ?? null;
    },
    async delete(key) {
      parseBlobKey(key);
      await bucket.delete(key);
    },
    listDayNames: () => listBucketDays(bucket),
    listKeys: (day) => listBucketKeys(bucket, day),
    listDays: async () => sumByDay(await listBucketUsage(bucket)),
    listUsage: () => listBucketUsage(bucket),
    deleteDay: (day) => deleteBucketDay(bucket, day),
    deleteUnnamed: (day, projectId, findNamed, beforeMs) =>
      deleteUnnamedObjects(bucket, { day, projectId }, findNamed, beforeMs),
    check: () => bucket.check(),
  };
}

function openS3Writer(bucket: Bucket, key: BlobKey, stagingFolder: string): BlobWriter {
  const file = openStagedFile(stagingFolder);
  const packer = new BlockPacker(file.write);
  let isOver = false;
  return {
    key,
    get storedBytes() {
      return packer.storedBytes;
    },
    write(chunk) {
      if (isOver) throw new Error(`The blob ${key} is closed: nothing more can be written`);
      packer.push(chunk);
    },
    async finish() {
      if (isOver) throw new Error(`The blob ${key} is closed: it cannot be finished again`);
      isOver = true;
      packer.end();
      const { bytes, md5 } = file.end();
      await bucket.put(key, file.read, bytes, md5);
      await file.remove();
      return { bytes: packer.bytes };
    },
    async abort() {
      isOver = true;
      await file.remove();
    },
  };
}

function sumByDay(usage: readonly BlobUsage[]): readonly { day: string; bytes: number; blobs: number }[] {
  return [...Map.groupBy(usage, ({ day }) => day)].map(([day, units]) => ({
    day,
    bytes: units.reduce((sum, { bytes }) => sum + bytes, 0),
    blobs: units.reduce((sum, { blobs }) => sum + blobs, 0),
  }));
}
