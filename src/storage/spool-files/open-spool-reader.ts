import { closeSync, openSync } from 'node:fs';
import type { SpoolReader, SpoolRecord } from '#storage/ports/spool.ts';
import { readOrMakeIdentity, type SpoolIdentity } from './identity.ts';
import { readFrames } from './read-frames.ts';
import { listSegments, SEGMENT_HEAD_BYTES, type Segment } from './segment.ts';
import { AcknowledgedFile, HeadFile, type SpoolHead } from './spool-figures.ts';

/** Room in one reading for the heads of the frames beside the bytes that were asked for. */
const HEADS_BYTES = 64 * 1024;

export type SpoolReaderOptions = {
  /** Asked once, when the spool is made: the one that it continues. */
  origin?: () => SpoolIdentity | null;
  /** Told of records that cannot be read any more: they are skipped. */
  onDamage?: (detail: string) => void;
  /** For a look beside digest, which alone tells what is acknowledged. */
  isObserver?: boolean;
  /** Begins at the byte that digest told, without reading the segment up to there: for a look that may err once. */
  isGlance?: boolean;
};

/**
 * Reads what the writer has told to be synced, and nothing behind it: were a record counted in the relational store and
 * then lost with the machine, the next record would get its position, and be taken for one that was counted.
 */
export function openSpoolReader(
  folder: string,
  { origin = () => null, onDamage = () => {}, isObserver = false, isGlance = false }: SpoolReaderOptions = {},
): SpoolReader {
  const { spoolId, startsAfter } = readOrMakeIdentity(folder, origin);
  const headFile = new HeadFile(folder);
  const acknowledgedFile = new AcknowledgedFile(folder);
  let segments = listSegments(folder, onDamage);
  const told = acknowledgedFile.read();
  // Lost with the machine, or new: what was forgotten is all that is known to be acknowledged.
  let acknowledged = told ?? { position: startsAfter, bytes: segments[0]?.bytesBefore ?? 0 };
  // Written now: a disk that is full later has room for it.
  if (!told && !isObserver) acknowledgedFile.write(acknowledged);
  let file: { serial: number; fd: number } | null = null;
  /** Bytes of all frames up to a position, for those of the last reading: where the next one begins. */
  const ends = new Map<number, number>();
  if (told && isGlance) ends.set(told.position, told.bytes);

  function refreshSegments(head: SpoolHead): void {
    if (segments.some(({ serial }) => serial === head.serial)) return;
    segments = listSegments(folder, onDamage);
  }

  function open(segment: Segment): number {
    if (file?.serial === segment.serial) return file.fd;
    if (file) closeSync(file.fd);
    file = null;
    file = { serial: segment.serial, fd: openSync(segment.path, 'r') };
    return file.fd;
  }

  /** Records after a position up to the head, each with the bytes of all frames up to its end. */
  function* recordsAfter(
    after: number,
    head: SpoolHead,
    chunkBytes: number,
  ): Generator<[SpoolRecord, number]> {
    refreshSegments(head);
    for (const [index, segment] of segments.entries()) {
      const next = segment.serial === head.serial ? null : segments[index + 1];
      if (next === undefined) return;
      const last = next ? next.first - 1 : head.position;
      if (last <= after) continue;
      const bytesEnd = next ? next.bytesBefore : head.bytes;
      const known = ends.get(after);
      const isKnown = known !== undefined && known >= segment.bytesBefore && known <= bytesEnd;
      const place = {
        offset: SEGMENT_HEAD_BYTES + (isKnown ? known - segment.bytesBefore : 0),
        end: SEGMENT_HEAD_BYTES + bytesEnd - segment.bytesBefore,
        position: isKnown ? Math.max(after + 1, segment.first) : segment.first,
      };
      const complain = (from: number, at: number) =>
        onDamage(`Record ${from} of ${segment.path} is corrupt (byte ${at}): skipping it`);
      for (const frame of readFrames(
        open(segment),
        place,
        Math.min(chunkBytes, place.end - place.offset),
        complain,
      )) {
        if (frame.position <= after || frame.position > last) continue;
        yield [
          { position: frame.position, bytes: frame.record },
          segment.bytesBefore + frame.end - SEGMENT_HEAD_BYTES,
        ];
      }
      if (!next) return;
    }
  }

  return {
    spoolId,
    read(after, limits) {
      const head = headFile.read();
      const told = acknowledgedFile.read();
      if (told && told.position > acknowledged.position) acknowledged = told;
      const from = Math.max(after, acknowledged.position);
      if (!head || head.position <= from) return [];
      const records: SpoolRecord[] = [];
      let bytes = 0;
      const fresh: [number, number][] = [];
      const start = ends.get(from);
      for (const [record, end] of recordsAfter(from, head, limits.bytes + HEADS_BYTES)) {
        const isFull = records.length >= limits.records || bytes + record.bytes.length > limits.bytes;
        if (records.length > 0 && isFull) break;
        records.push(record);
        fresh.push([record.position, end]);
        bytes += record.bytes.length;
      }
      ends.clear();
      if (start !== undefined) ends.set(from, start);
      for (const [position, end] of fresh) ends.set(position, end);
      return records;
    },
    async acknowledge(upTo) {
      if (upTo <= acknowledged.position) return;
      acknowledged = { position: upTo, bytes: ends.get(upTo) ?? findBytes(upTo) };
      acknowledgedFile.write(acknowledged);
      if (segments.length > 1)
        segments = segments.filter((_, index) => (segments[index + 1]?.first ?? Infinity) > upTo);
    },
    depth() {
      const head = headFile.read();
      return head ? Math.max(0, head.position - acknowledged.position) : 0;
    },
    async close() {
      if (file) closeSync(file.fd);
      headFile.close();
      acknowledgedFile.close();
    },
  };

  /** Bytes of all frames up to a position that was not read before, as after a restart. */
  function findBytes(upTo: number): number {
    const head = headFile.read();
    if (!head) return acknowledged.bytes;
    if (upTo >= head.position) return head.bytes;
    let bytes = acknowledged.bytes;
    for (const [record, end] of recordsAfter(acknowledged.position, head, HEADS_BYTES * 16)) {
      if (record.position > upTo) break;
      bytes = end;
    }
    return bytes;
  }
}
