import { JsonTooLarge, parseBoundedJson } from '#lib/bounded-json.ts';

/** Of one segment, unpacked: a larger one is not played. */
const SEGMENT_BYTES_MAX = 24 * 1024 * 1024;
/** Of all segments together, unpacked; the rest is not played. */
const RECORDING_BYTES_MAX = 256 * 1024 * 1024;
/** The line before each segment. */
const HEADER_BYTES_MAX = 1_024;

/** One segment as it was sent. */
export type SentSegment = { segmentId: number; kind: 'recording' | 'video'; content: Uint8Array };

/** Takes apart what the server streams: before each segment a line of JSON that says how many bytes follow. */
export async function* readSegments(stream: ReadableStream<Uint8Array>): AsyncGenerator<SentSegment> {
  const bytes = new ByteQueue(stream.getReader());
  try {
    for (;;) {
      const header = await bytes.takeLine();
      if (header === null) return;
      const {
        segmentId,
        kind,
        bytes: length,
      } = JSON.parse(header) as Omit<SentSegment, 'content'> & { bytes: number };
      const content = await bytes.take(length);
      if (content === null) return;
      yield { segmentId, kind, content };
    }
  } finally {
    await bytes.cancel();
  }
}

class ByteQueue {
  #held = new Uint8Array();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** Without its end; null when the stream is over. */
  async takeLine(): Promise<string | null> {
    for (let end = this.#held.indexOf(10); ; end = this.#held.indexOf(10)) {
      if (end >= 0) {
        const line = new TextDecoder().decode(this.#held.subarray(0, end));
        this.#held = this.#held.slice(end + 1);
        return line;
      }
      if (this.#held.length > HEADER_BYTES_MAX || !(await this.#read())) return null;
    }
  }

  async take(length: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#held.length === 0 && !(await this.#read())) return null;
      const part = this.#held.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      this.#held = this.#held.slice(part.length);
    }
    return join(parts, length);
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.#held =
      this.#held.length === 0 ? value.slice() : join([this.#held, value], this.#held.length + value.length);
    return true;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel().catch(() => {});
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Counts what was unpacked of one recording. `isCut` once a segment was over the bounds. */
export type Inflated = { bytes: number; isCut?: boolean };

/**
 * The events of a segment: behind a line of JSON they lie as JSON, packed with zlib or not. Empty for what cannot be read
 * or is over the bounds.
 */
export async function readEvents(content: Uint8Array, inflated: Inflated): Promise<readonly unknown[]> {
  const start = content.indexOf(10) + 1;
  const body = content.slice(start);
  try {
    const room = Math.min(SEGMENT_BYTES_MAX, RECORDING_BYTES_MAX - inflated.bytes);
    const unpacked = body[0] === 0x5b ? body : await inflate(body, room);
    if (unpacked.length > room) throw new RangeError('The segment is too large');
    inflated.bytes += unpacked.length;
    const events = parseBoundedJson(new TextDecoder().decode(unpacked));
    return Array.isArray(events) ? events : [];
  } catch (error) {
    if (error instanceof RangeError || error instanceof JsonTooLarge) inflated.isCut = true;
    return [];
  }
}

async function inflate(body: Uint8Array<ArrayBuffer>, bytesMax: number): Promise<Uint8Array> {
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > bytesMax) {
      await reader.cancel();
      throw new RangeError('The segment is too large');
    }
    parts.push(next.value);
  }
  return join(parts, length);
}
