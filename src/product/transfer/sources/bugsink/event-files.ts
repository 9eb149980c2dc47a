import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { EVENT_CHARACTERS_MAX } from '../event-bounds.ts';

/** Reads the body of an event that is not in the database; null when its file is not there. */
export type EventFiles = { read(backend: string, id: string): Promise<string | null> };

const UNPACKED = { maxOutputLength: EVENT_CHARACTERS_MAX * 4 };

const READERS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  '.json': async (bytes) => bytes,
  '.json.br': (bytes) => promisify(brotliDecompress)(bytes, UNPACKED),
  '.json.gz': (bytes) => promisify(gunzip)(bytes, UNPACKED),
};

/** A backend's name becomes the name of a folder, and nothing else. */
const FOLDER_NAME = /^[\w-]{1,100}$/;

/**
 * The files of `FileEventStorage` in its folder, or in folders named after the backends below it. IDs are 32 hex digits.
 * Source: https://www.bugsink.com/docs/event-storage/
 */
export function openEventFiles(folder: string): EventFiles {
  return {
    async read(backend, id) {
      const name = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const place of FOLDER_NAME.test(backend) ? [folder, join(folder, backend)] : [folder]) {
        for (const [ending, unpack] of Object.entries(READERS)) {
          const bytes = await readFile(join(place, `${name}${ending}`)).catch(() => null);
          if (bytes) return (await unpack(bytes)).toString('utf8');
        }
      }
      return null;
    },
  };
}
