import { closeSync, fdatasyncSync, openSync, readdirSync } from 'node:fs';
import { readFrames } from './read-frames.ts';
import { listSegments, RECORD_BYTES_MAX, SEGMENT_HEAD_BYTES, type Segment } from './segment.ts';
import type { Acknowledged, SpoolHead } from './spool-figures.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;

export type Recovered = {
  /** Position and bytes up to the last record; the next one goes into a new segment. */
  position: number;
  bytes: number;
  /** Where the last record ends; null when no segment is left. */
  head: SpoolHead | null;
  segments: Segment[];
  nextSerial: number;
};

/**
 * Finds the end of what a former writer left: what a crash tore off behind it was never answered, and is cut. The end is
 * on disk when this returns. No position is given twice: not one that was told as synced, nor one that was acknowledged,
 * even when its record is gone.
 */
export function recover(
  folder: string,
  startsAfter: number,
  told: SpoolHead | null,
  acknowledged: Acknowledged | null,
  onRecord: (record: Buffer) => void,
  onDamage: (detail: string) => void,
): Recovered {
  const segments = listSegments(folder, onDamage);
  const serials = readdirSync(folder).map((name) => Number(/^segment-(\d+)\.spool$/.exec(name)?.[1] ?? 0));
  const last = segments.at(-1);
  const head = last ? findEnd(last, told?.serial === last.serial ? told : null, onRecord, onDamage) : null;
  return {
    position: Math.max(startsAfter, head?.position ?? 0, told?.position ?? 0, acknowledged?.position ?? 0),
    bytes: Math.max(head?.bytes ?? 0, told?.bytes ?? 0, acknowledged?.bytes ?? 0),
    head,
    segments,
    nextSerial: Math.max(0, ...serials, told?.serial ?? 0) + 1,
  };
}

function findEnd(
  segment: Segment,
  told: SpoolHead | null,
  onRecord: (record: Buffer) => void,
  onDamage: (detail: string) => void,
): SpoolHead {
  let position = segment.first - 1;
  let offset = SEGMENT_HEAD_BYTES;
  const fd = openSync(segment.path, 'r+');
  try {
    const follow = (place: { offset: number; end: number; position: number }, isTold: boolean) => {
      const complain = isTold
        ? (from: number, at: number) => onDamage(`Record ${from} of ${segment.path} is corrupt (byte ${at})`)
        : null;
      for (const frame of readFrames(fd, place, CHUNK_BYTES, complain)) {
        onRecord(frame.record);
        position = frame.position;
        offset = frame.end;
      }
    };
    // Up to what was told as synced, a frame that is not sound is damage; behind that, it is the end.
    if (told && told.offset > offset) {
      follow({ offset, end: told.offset, position: segment.first }, true);
      position = told.position;
      offset = told.offset;
    }
    follow({ offset, end: offset + RECORD_BYTES_MAX, position: position + 1 }, false);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const bytes = segment.bytesBefore + offset - SEGMENT_HEAD_BYTES;
  return { position, bytes, serial: segment.serial, offset };
}
