import type { ZipLimits } from '#lib/zip-archive.ts';

/** Of one uploaded archive: files, their names, which are held in memory, and their bytes unpacked. */
export const ARCHIVE_LIMITS: ZipLimits = {
  entriesMax: 100_000,
  directoryBytesMax: 16 * 1024 * 1024,
  bytesMax: 4 * 1024 * 1024 * 1024,
};

/** Of an archive of mappings, which is read while its request waits, beside others. */
export const MAPPING_ARCHIVE_LIMITS: ZipLimits = {
  ...ARCHIVE_LIMITS,
  entriesMax: 1_000,
  directoryBytesMax: 1024 * 1024,
};
