import { HEADER_LINE_BYTES_MAX } from '#protocol/envelope.ts';

/**
 * Whether bytes are an envelope rather than one event: their first line is a JSON object by itself, and the next line
 * that is not blank is one with a `type`. An event on one line has no next line; spread over several, its first line is
 * no object by itself. An envelope without items, which is rare, reads as an event.
 */
export function looksLikeEnvelope(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(10);
  if (end === -1 || parseObject(bytes.subarray(0, end)) === null) return false;
  let from = end + 1;
  while (bytes[from] === 10 || bytes[from] === 13) from += 1;
  const next = bytes.indexOf(10, from);
  const header = parseObject(bytes.subarray(from, next === -1 ? bytes.length : next));
  return typeof header?.type === 'string';
}

function parseObject(line: Uint8Array): Readonly<Record<string, unknown>> | null {
  if (line.length === 0 || line.length > HEADER_LINE_BYTES_MAX) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
