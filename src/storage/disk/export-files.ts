import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { invalid } from '#lib/errors.ts';
import type { ExportFiles } from '#storage/ports/export-files.ts';

/** One archive, compressed. */
const EXPORT_BYTES_MAX = 4 * 1024 ** 3;

const temporaryOf = (path: string): string => `${path}.tmp`;

export function openDiskExportFiles(folder: string): ExportFiles {
  const pathOf = (requestId: number): string => {
    if (!Number.isSafeInteger(requestId) || requestId < 1) throw invalid(`${requestId} is not a request`);
    return join(folder, `${requestId}.tar.gz`);
  };
  return {
    async write(requestId, content) {
      const path = pathOf(requestId);
      const temporary = temporaryOf(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      let bytes = 0;
      try {
        const handle = await open(temporary, 'w', 0o600);
        const counting = async function* (source: AsyncIterable<Uint8Array>) {
          for await (const chunk of source) {
            bytes += chunk.length;
            if (bytes > EXPORT_BYTES_MAX)
              throw invalid('The export is larger than 4 GiB: request it for fewer identifiers');
            yield chunk;
          }
        };
        await pipeline(
          Readable.from(content),
          createGzip(),
          counting,
          handle.createWriteStream({ flush: true }),
        );
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return { bytes };
    },

    async read(requestId) {
      const path = pathOf(requestId);
      const found = await stat(path).catch(() => null);
      return found ? { content: createReadStream(path), bytes: found.size } : null;
    },

    async delete(requestId) {
      const path = pathOf(requestId);
      // One that is being written, or that a killed process began.
      await rm(temporaryOf(path), { force: true });
      await rm(path, { force: true });
    },
  };
}
