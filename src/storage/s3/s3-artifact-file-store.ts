import { createHash } from 'node:crypto';
import { invalid, unavailable } from '#lib/errors.ts';
import { readFileRange, requireRange } from '#lib/file-range.ts';
import { artifactName, parseArtifactName } from '#protocol/artifact-name.ts';
import type {
  ArtifactFilePlace,
  ArtifactFileReader,
  ArtifactFileStore,
  ArtifactFileWriter,
  Checksum,
} from '#storage/ports/artifact-files.ts';
import type { Bucket } from './bucket.ts';
import { openStagedFile, removeStaleFiles } from './staged-file.ts';

/** Below the prefix of the blobs, whose folders are days. */
const FOLDER = 'artifacts/';
/** Read at once: what an archive lists, and most of what it holds, lie side by side. */
const WINDOW_BYTES = 256 * 1024;

/**
 * Uploads as objects `<prefix>artifacts/<organization>/<two digits>/<checksum>`, so that every machine reads what any of them
 * received. What is still being received is a file of the machine that receives it.
 */
export function openS3ArtifactFileStore(bucket: Bucket, stagingFolder: string): ArtifactFileStore {
  const keyOf = (organizationId: number, checksum: Checksum): string =>
    `${FOLDER}${artifactName(organizationId, checksum)}`;
  return {
    async create(organizationId, { expected, bytesMax }) {
      if (expected !== null) keyOf(organizationId, expected);
      return openWriter(bucket, stagingFolder, {
        expected,
        bytesMax,
        keyOf: (checksum) => keyOf(organizationId, checksum),
      });
    },
    async open(organizationId, checksum) {
      const key = keyOf(organizationId, checksum);
      const found = await bucket.find(key);
      return found && readerOf(bucket, key, found.bytes);
    },
    has: async (organizationId, checksum) => (await bucket.find(keyOf(organizationId, checksum))) !== null,
    async delete(organizationId, checksum, writtenBefore) {
      const key = keyOf(organizationId, checksum);
      const found = await bucket.find(key);
      if (!found || found.modifiedMs >= writtenBefore) return false;
      await bucket.delete(key);
      return true;
    },
    async listOlder(writtenBefore, after, limit) {
      const from = after === null ? null : keyOf(after.organizationId, after.checksum);
      const found: ArtifactFilePlace[] = [];
      for await (const page of bucket.list(FOLDER, from)) {
        for (const { key, modifiedMs } of page) {
          const place = parseArtifactName(key.slice(FOLDER.length));
          if (place && modifiedMs < writtenBefore) found.push(place);
          if (found.length >= limit) return found;
        }
      }
      return found;
    },
    removeAbandoned: (nowMs) => removeStaleFiles(stagingFolder, nowMs),
  };
}

type WriterOptions = {
  expected: Checksum | null;
  bytesMax: number;
  keyOf: (checksum: Checksum) => string;
};

function openWriter(
  bucket: Bucket,
  stagingFolder: string,
  { expected, bytesMax, keyOf }: WriterOptions,
): ArtifactFileWriter {
  const file = openStagedFile(stagingFolder);
  const hash = createHash('sha1');
  let bytes = 0;
  let ended: { checksum: Checksum; md5: string } | null = null;
  let isOver = false;
  const end = () => {
    ended ??= { checksum: hash.digest('hex'), md5: file.end().md5 };
    if (expected === null || ended.checksum === expected) return ended;
    throw invalid(`The bytes have the checksum ${ended.checksum}, not ${expected}: upload them again`);
  };
  return {
    write(chunk) {
      if (ended !== null || isOver)
        throw new Error('The upload has already been read: nothing more can be written');
      bytes += chunk.length;
      if (bytes > bytesMax) throw invalid(`The upload is larger than ${bytesMax} bytes`);
      hash.update(chunk);
      file.write(chunk);
    },
    async read() {
      end();
      const handle = await file.open();
      return {
        bytes,
        read: (from, to) => readFileRange(handle, { from, to, bytes }, tooShort),
        close: () => handle.close(),
      };
    },
    async finish() {
      try {
        const { checksum, md5 } = end();
        await bucket.put(keyOf(checksum), file.read, bytes, md5);
        return { checksum, bytes };
      } finally {
        isOver = true;
        await file.remove();
      }
    },
    async abort() {
      isOver = true;
      await file.remove();
    },
  };
}

function readerOf(bucket: Bucket, key: string, bytes: number): ArtifactFileReader {
  let window: { from: number; bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };
  return {
    bytes,
    async read(from, to) {
      requireRange(from, to, bytes);
      if (from === to) return Buffer.alloc(0);
      const end = window.from + window.bytes.length;
      if (from < window.from || to > end) {
        const read = await bucket.read(key, { from, to: Math.max(to, Math.min(bytes, from + WINDOW_BYTES)) });
        if (read === null || read.bytes.length < to - from) throw tooShort();
        window = { from, bytes: read.bytes };
      }
      // A copy: whoever gets it may give it away.
      return Buffer.from(window.bytes.subarray(from - window.from, to - window.from));
    },
    async close() {},
  };
}

const tooShort = () => unavailable('An upload in the bucket was deleted or cut while it was read');
