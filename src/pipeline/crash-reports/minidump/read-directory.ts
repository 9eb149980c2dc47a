import { DumpError, type DumpReader } from './dump-reader.ts';

/** Where a stream or a record lies; both in bytes. */
export type Location = { offset: number; size: number };

/** Streams that are read, by their number in the directory. */
export const STREAM = {
  threadList: 3,
  moduleList: 4,
  exception: 6,
  systemInfo: 7,
  miscInfo: 15,
  threadNames: 24,
  crashpadInfo: 0x43500001,
  breakpadInfo: 0x47670001,
  assertionInfo: 0x47670002,
} as const;

export type Directory = {
  /** Seconds since the epoch; null when the dump does not say. */
  timestamp: number | null;
  /** null for streams that the dump has not. */
  find(stream: number): Location | null;
};

const HEADER_BYTES = 32;
const ENTRY_BYTES = 12;
/** Writers make about twenty. */
const STREAMS_MAX = 1_024;
const MAGIC = 0x504d444d;
const MAGIC_BIG_ENDIAN = 0x4d444d50;
const VERSION = 0xa793;

/**
 * Reads the head of a dump. Throws DumpError when it is none.
 * Source: MINIDUMP_HEADER and MINIDUMP_DIRECTORY of minidumpapiset.h.
 */
export async function readDirectory(reader: DumpReader): Promise<Directory> {
  if (reader.size < HEADER_BYTES) throw new DumpError('It is too short for a minidump');
  const header = await reader.view(0, HEADER_BYTES);
  const magic = header.getUint32(0, true);
  if (magic === MAGIC_BIG_ENDIAN) throw new DumpError('Dumps of big-endian machines are not read');
  if (magic !== MAGIC) throw new DumpError('It does not begin as a minidump does');
  if ((header.getUint32(4, true) & 0xffff) !== VERSION) throw new DumpError('Its version is unknown');
  const count = header.getUint32(8, true);
  if (count > STREAMS_MAX) throw new DumpError(`It claims ${count} streams`);
  const entries = await reader.view(header.getUint32(12, true), count * ENTRY_BYTES);
  const streams = new Map<number, Location>();
  for (let index = 0; index < count; index++) {
    const at = index * ENTRY_BYTES;
    const type = entries.getUint32(at, true);
    // Writers fill the directory up with zeros; of two streams of a kind the first counts.
    if (type !== 0 && !streams.has(type)) {
      streams.set(type, { size: entries.getUint32(at + 4, true), offset: entries.getUint32(at + 8, true) });
    }
  }
  return {
    timestamp: header.getUint32(20, true) || null,
    find: (stream) => streams.get(stream) ?? null,
  };
}
