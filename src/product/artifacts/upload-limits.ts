import type { ZipLimits } from '#lib/zip-archive.ts';

const MIB = 1024 * 1024;

/** What clients cut an upload into, and the most that one of its parts may have. */
export const CHUNK_BYTES = 8 * MIB;
export const CHUNKS_PER_REQUEST_MAX = 64;
/** Parts that one client sends at once. */
export const CHUNK_CONCURRENCY = 4;
/** Of one request with parts. */
export const CHUNK_REQUEST_BYTES_MAX = 32 * MIB;
/** Of one upload, put together. */
export const UPLOAD_BYTES_MAX = 2 * 1024 * MIB;
export const CHUNKS_OF_UPLOAD_MAX = UPLOAD_BYTES_MAX / CHUNK_BYTES;
/** A part waits this long for the rest of its upload. */
export const CHUNK_HOURS = 24;
/** Of a file that is uploaded by itself, under a release. */
export const RELEASE_FILE_BYTES_MAX = 40 * MIB;
/** Of an archive of mappings in one request, and of one mapping in it. */
export const MAPPING_ARCHIVE_BYTES_MAX = 128 * MIB;
/** Of one symbol file of native code. */
export const SYMBOL_FILE_BYTES_MAX = 128 * MIB;
/** Of one request, in parts or in an archive. */
export const MAPPINGS_PER_REQUEST_MAX = 100;
/** Seconds that clients wait for an upload to be put together. */
export const ASSEMBLE_WAIT_SECONDS = 300;

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
