import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { invalid } from '#lib/errors.ts';
import type { ExportFiles } from '#storage/ports/export-files.ts';
import type { Bucket } from './bucket.ts';
import { openStagedFile } from './staged-file.ts';

/** One archive, compressed; one request stores it, of which servers take 5 GiB. */
const EXPORT_BYTES_MAX = 4 * 1024 ** 3;
/** Read at once: a download that is left alone costs no more than this. */
const WINDOW_BYTES = 1024 * 1024;

/** Archives as objects `<prefix>exports/<request>.tar.gz`: jobs make them, and any web role hands them out. */
export function openS3ExportFiles(bucket: Bucket, stagingFolder: string): ExportFiles {
  const keyOf = (requestId: number): string => {
    if (!Number.isSafeInteger(requestId) || requestId < 1) throw invalid(`${requestId} is not a request`);
    return `exports/${requestId}.tar.gz`;
  };
  return {
    async write(requestId, content) {
      const key = keyOf(requestId);
      const file = openStagedFile(stagingFolder);
      try {
        let bytes = 0;
        for await (const chunk of Readable.from(content).pipe(createGzip())) {
          bytes += (chunk as Buffer).length;
          if (bytes > EXPORT_BYTES_MAX)
            throw invalid('The export is larger than 4 GiB: request it for fewer identifiers');
          file.write(chunk as Buffer);
        }
        const { md5 } = file.end();
        await bucket.put(key, file.read, bytes, md5);
        return { bytes };
      } finally {
        await file.remove();
      }
    },
    async read(requestId) {
      const key = keyOf(requestId);
      const found = await bucket.find(key);
      return found && { bytes: found.bytes, content: Readable.from(windowsOf(bucket, key, found.bytes)) };
    },
    delete: (requestId) => bucket.delete(keyOf(requestId)),
  };
}

async function* windowsOf(bucket: Bucket, key: string, bytes: number): AsyncIterable<Buffer> {
  for (let from = 0; from < bytes; from += WINDOW_BYTES) {
    const read = await bucket.read(key, { from, to: Math.min(bytes, from + WINDOW_BYTES) });
    if (read === null) throw new Error('The export was deleted while it was read');
    yield read.bytes;
  }
}
