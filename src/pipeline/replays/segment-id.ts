/** Segments are numbered; a recording of an hour has a few hundred. */
const SEGMENT_ID_MAX = 2 ** 31 - 1;
const HEADER_BYTES_MAX = 4_096;

export const parseSegmentId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= SEGMENT_ID_MAX
    ? value
    : null;

/**
 * The number of a recording's segment, from the line of JSON that it begins with. null when there is no such line, or
 * nothing after it. Source: relay-replays/src/recording.rs.
 */
export function readRecordingHeader(head: Uint8Array, bytes: number): number | null {
  const end = head.subarray(0, HEADER_BYTES_MAX).indexOf(0x0a);
  if (end <= 0 || end + 1 >= bytes) return null;
  try {
    const header: unknown = JSON.parse(Buffer.from(head.buffer, head.byteOffset, end).toString('utf8'));
    return typeof header === 'object' && header !== null && 'segment_id' in header
      ? parseSegmentId(header.segment_id)
      : null;
  } catch {
    return null;
  }
}
