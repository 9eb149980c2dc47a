import { readSync } from 'node:fs';
import { FRAME_HEAD_BYTES, isFrameSound, readFrameLength } from './segment.ts';

export type Frame = {
  position: number;
  record: Buffer;
  /** Where the next frame begins. */
  end: number;
};

/**
 * The frames of an open segment from `offset` up to `end`, the first of which should carry `position`. Where one is
 * damaged the next sound one is looked for, and `onDamage` told; null there means that the first unsound frame is the
 * end, as it is behind the last record that was written.
 */
export function* readFrames(
  fd: number,
  place: { offset: number; end: number; position: number },
  chunkBytes: number,
  onDamage: ((fromPosition: number, offset: number) => void) | null,
): Generator<Frame> {
  let { offset, position } = place;
  let chunk: Buffer = NOTHING;
  let chunkAt = offset;
  const load = (bytes: number) => {
    chunk = readFully(fd, offset, Math.min(bytes, place.end - offset));
    chunkAt = offset;
  };
  for (;;) {
    if (chunkAt + chunk.length < offset + FRAME_HEAD_BYTES) {
      load(chunkBytes);
      if (chunk.length < FRAME_HEAD_BYTES) return;
    }
    let length = readFrameLength(chunk, offset - chunkAt, position);
    const end = length === null ? offset : offset + FRAME_HEAD_BYTES + length;
    if (length !== null && end > place.end) length = null;
    if (length !== null && end > chunkAt + chunk.length) {
      load(Math.max(chunkBytes, end - offset));
      if (chunk.length < end - offset) length = null;
    }
    if (length !== null && isFrameSound(chunk, offset - chunkAt, length)) {
      const start = offset - chunkAt + FRAME_HEAD_BYTES;
      yield { position, record: chunk.subarray(start, start + length), end };
      position += 1;
      offset = end;
      continue;
    }
    if (!onDamage) return;
    onDamage(position, offset);
    const found = findSoundFrame(fd, offset + 1, place.end, position);
    if (!found) return;
    ({ offset, position } = found);
    chunk = NOTHING;
    chunkAt = offset;
  }
}

const NOTHING = Buffer.alloc(0);
/** How far a position may jump behind damage: no segment has more records, so anything further is random data. */
const SKIPPED_MAX = 1_000_000;

/** Looks byte by byte: where a frame is damaged, its length cannot be trusted. */
function findSoundFrame(
  fd: number,
  from: number,
  end: number,
  after: number,
): { offset: number; position: number } | null {
  const bytes = readFully(fd, from, end - from);
  for (let offset = 0; offset + FRAME_HEAD_BYTES <= bytes.length; offset++) {
    const position = bytes.readDoubleLE(offset + 8);
    if (!(position > after && position <= after + SKIPPED_MAX && Number.isInteger(position))) continue;
    const length = readFrameLength(bytes, offset, position);
    if (length === null || offset + FRAME_HEAD_BYTES + length > bytes.length) continue;
    if (isFrameSound(bytes, offset, length)) return { offset: from + offset, position };
  }
  return null;
}

/** Fewer bytes only at the end of the file. */
function readFully(fd: number, offset: number, bytes: number): Buffer {
  const target = Buffer.allocUnsafeSlow(Math.max(0, bytes));
  let done = 0;
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, offset + done);
    if (read === 0) break;
    done += read;
  }
  return done === target.length ? target : target.subarray(0, done);
}
