import { parseBoundedJson } from '#lib/bounded-json.ts';
import { invalid, messageOf } from '#lib/errors.ts';

/** Of one element: what a person wrote into one row of a database. */
const ELEMENT_BYTES_MAX = 16 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);
const OPEN_ARRAY = 0x5b;
const COMMA = 0x2c;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * The objects of one JSON array, each as soon as it is complete: of a file of any size, one of them is in memory. Throws
 * Invalid for what is no array of objects, for one that is cut off, and for an element that is too large.
 */
export async function* readElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let begin = depth > 1 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (depth === 0 && !SPACES.has(byte) && (byte !== OPEN_ARRAY || hasEnded(pending))) throw notAList();
      if (byte === QUOTE) {
        if (depth < 2) throw notAList();
        isInString = true;
      } else if (OPENS.has(byte)) {
        depth++;
        if (depth === 2) begin = at;
      } else if (CLOSES.has(byte)) {
        depth--;
        if (depth === 1) {
          pending.push(chunk.subarray(begin, at + 1));
          yield parseElement(Buffer.concat(pending));
          pending = [];
          pendingBytes = 0;
          begin = -1;
        }
        if (depth === 0) pending = ENDED;
      } else if (depth === 1 && byte !== COMMA && !SPACES.has(byte)) {
        throw notAList();
      }
    }
    if (begin >= 0) {
      pending.push(chunk.subarray(begin));
      pendingBytes += chunk.length - begin;
      if (pendingBytes > ELEMENT_BYTES_MAX) {
        throw invalid(
          `An element of the file has more than ${ELEMENT_BYTES_MAX} bytes: it is not an export of Sentry`,
        );
      }
    }
  }
  if (!hasEnded(pending)) throw invalid('The file ends in the middle: copy it again');
}

/** In place of what is pending, once the array is closed. */
const ENDED: Buffer[] = [];
const hasEnded = (pending: Buffer[]): boolean => pending === ENDED;

const notAList = () =>
  invalid('The file is not a list of objects: use what sentry export wrote, decrypted and not in an archive');

function parseElement(bytes: Buffer): unknown {
  try {
    return parseBoundedJson(bytes.toString('utf8'));
  } catch (error) {
    throw invalid(`An element of the file is not JSON: ${messageOf(error)}`);
  }
}
