import { closeSync, fsyncSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * A segment is a file of records that follow each other. Its first page says where it belongs; then comes frame after
 * frame. Nothing marks the end: a frame that does not carry the position that comes next, or fails its checksum, is
 * none. So a file may be used again without being emptied: what lies behind the last frame has an older position.
 */
export type Segment = {
  path: string;
  /** Grows by one from segment to segment. */
  serial: number;
  /** Position of its first record. */
  first: number;
  /** Bytes of all frames in the segments before. */
  bytesBefore: number;
};

/** A frame: checksum (32 bits) of all that follows, length of the record (32 bits), position (64 bits), the record. */
export const FRAME_HEAD_BYTES = 16;
/** Frames begin at a page of their own, so that the first page is written once. */
export const SEGMENT_HEAD_BYTES = 4096;
/** One record; a frame that claims more is damaged. */
export const RECORD_BYTES_MAX = 256 * 1024 * 1024;

const MAGIC = 'ERRATA-SPOOL-01\n';
const HEAD_USED_BYTES = 48;
const NAME = /^segment-(\d{12})\.spool$/;

export const segmentName = (serial: number): string => `segment-${String(serial).padStart(12, '0')}.spool`;

export function encodeSegmentHead({ serial, first, bytesBefore }: Omit<Segment, 'path'>): Buffer {
  const head = Buffer.alloc(SEGMENT_HEAD_BYTES);
  head.write(MAGIC, 0, 'latin1');
  head.writeDoubleLE(serial, 16);
  head.writeDoubleLE(first, 24);
  head.writeDoubleLE(bytesBefore, 32);
  head.writeUInt32LE(crc32(head.subarray(0, 40)), 40);
  return head;
}

/** All segments of a folder, oldest first. A file whose first page is damaged is left out and told to `onDamage`. */
export function listSegments(folder: string, onDamage: (detail: string) => void): Segment[] {
  const segments: Segment[] = [];
  for (const name of readdirSync(folder).sort()) {
    const serial = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(serial)) continue;
    const path = join(folder, name);
    const segment = readSegmentHead(path, serial);
    if (segment === 'gone') continue;
    if (segment) segments.push(segment);
    else onDamage(`The first page of ${path} is corrupt: its records could not be read`);
  }
  return segments;
}

function readSegmentHead(path: string, serial: number): Segment | 'gone' | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    // Forgotten since the folder was listed.
    return 'gone';
  }
  try {
    const head = Buffer.alloc(HEAD_USED_BYTES);
    readSync(fd, head, 0, head.length, 0);
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
    if (head.readUInt32LE(40) !== crc32(head.subarray(0, 40)) || head.readDoubleLE(16) !== serial)
      return null;
    return { path, serial, first: head.readDoubleLE(24), bytesBefore: head.readDoubleLE(32) };
  } finally {
    closeSync(fd);
  }
}

/** Writes a frame into `target` and answers where the next one goes. */
export function writeFrame(
  target: Buffer,
  offset: number,
  position: number,
  pieces: readonly Uint8Array[],
): number {
  let end = offset + FRAME_HEAD_BYTES;
  for (const piece of pieces) {
    target.set(piece, end);
    end += piece.length;
  }
  target.writeUInt32LE(end - offset - FRAME_HEAD_BYTES, offset + 4);
  target.writeDoubleLE(position, offset + 8);
  target.writeUInt32LE(crc32(target.subarray(offset + 4, end)), offset);
  return end;
}

/**
 * Length of the record in the frame at `offset`, by its head alone; null when the head is not that of `position`.
 * `bytes` must hold the head.
 */
export function readFrameLength(bytes: Buffer, offset: number, position: number): number | null {
  if (bytes.readDoubleLE(offset + 8) !== position) return null;
  const length = bytes.readUInt32LE(offset + 4);
  return length <= RECORD_BYTES_MAX ? length : null;
}

/** Whether the whole frame at `offset`, whose head has been looked at, is as it was written. */
export const isFrameSound = (bytes: Buffer, offset: number, length: number): boolean =>
  bytes.readUInt32LE(offset) === crc32(bytes.subarray(offset + 4, offset + FRAME_HEAD_BYTES + length));

/** A new name in a folder is on disk once the folder is synced. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
