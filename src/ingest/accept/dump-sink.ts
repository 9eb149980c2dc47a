import type { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createZstdDecoder } from '../read-body.ts';
import { INFLATES_TOO_MUCH, inflatesTooMuch } from '../request-bounds.ts';
import { Refusal } from './ingest-request.ts';
import { MINIDUMP_FIELD, MultipartReader } from './multipart.ts';

/** So many bytes tell what a body is. */
const MAGIC_BYTES = 6;
/** First line of a form inside a field: it holds the boundary. */
const BOUNDARY_LINE_BYTES_MAX = 256;

type Taker = { write(chunk: Uint8Array): void | Promise<void>; end(): Promise<void> };

/**
 * Takes a minidump as it arrives and writes it, unpacked, to `write`. It may be packed by gzip or zstd, and old Electron
 * SDKs on Linux put a whole form into the field; it must begin with `MDMP` (or `PMDM`). Rejects and throws Refusal for
 * anything else, and what `write` throws. Source: relay-server/src/endpoints/minidump.rs.
 */
export class DumpSink implements Taker {
  readonly #write: (part: Uint8Array) => void;
  /** Bytes of the request so far, over the network. */
  readonly #received: { readonly bytes: number };
  /** How many layers may still be taken off. */
  readonly #layersMax: number;
  #head: Uint8Array = new Uint8Array(0);
  #bytes = 0;
  #taker: Taker | null = null;

  constructor(write: (part: Uint8Array) => void, received: { readonly bytes: number }, layersMax = 2) {
    this.#write = write;
    this.#received = received;
    this.#layersMax = layersMax;
  }

  write(chunk: Uint8Array): void | Promise<void> {
    if (this.#taker) return this.#taker.write(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length < MAGIC_BYTES) return;
    if (isForm(this.#head) && !this.#head.includes(10) && this.#head.length < BOUNDARY_LINE_BYTES_MAX) return;
    return this.#begin();
  }

  async end(): Promise<void> {
    if (!this.#taker) await this.#begin();
    await this.#taker?.end();
  }

  #begin(): void | Promise<void> {
    const head = this.#head;
    this.#head = new Uint8Array(0);
    this.#taker = this.#choose(Buffer.from(head.buffer, head.byteOffset, head.length));
    return this.#taker.write(head);
  }

  /** Whatever it was packed in, and how often: what counts is what came over the network. */
  #writeDump(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (inflatesTooMuch(this.#received.bytes, this.#bytes)) {
      throw new Refusal(413, `The minidump ${INFLATES_TOO_MUCH}`, 'compression_ratio');
    }
    this.#write(chunk);
  }

  #choose(head: Buffer): Taker {
    const magic = head.toString('latin1', 0, MAGIC_BYTES);
    if (magic.startsWith('MDMP') || magic.startsWith('PMDM')) {
      return { write: (chunk) => this.#writeDump(chunk), end: async () => {} };
    }
    if (this.#layersMax > 0) {
      const inner = new DumpSink(this.#write, this.#received, this.#layersMax - 1);
      if (magic.startsWith('\x1f\x8b')) return takeDecoded(createGunzip(), inner);
      if (magic.startsWith('\x28\xb5\x2f\xfd')) return takeDecoded(createZstdDecoder(), inner);
      if (isForm(head)) return takeForm(head, inner);
    }
    const packing = UNKNOWN_PACKINGS.find(([start]) => magic.startsWith(start));
    throw new Refusal(
      400,
      packing
        ? `The minidump is compressed with ${packing[1]}, which is not supported: send it uncompressed, or use gzip or zstd`
        : 'The minidump does not start with MDMP: send the dump itself, not a report about it',
      'invalid_minidump',
    );
  }
}

const UNKNOWN_PACKINGS: readonly (readonly [start: string, name: string])[] = [
  ['\xfd7zXZ\0', 'xz'],
  ['BZh', 'bzip2'],
];

const isForm = (head: Uint8Array): boolean => head[0] === 0x2d && head[1] === 0x2d;

/** What the decoder gives is written on before more is put into it. */
function takeDecoded(decoder: Transform, inner: Taker): Taker {
  let failure: unknown = null;
  const drained = (async () => {
    for await (const chunk of decoder) await inner.write(chunk as Buffer);
    await inner.end();
  })().catch((error: unknown) => {
    failure = (error as NodeJS.ErrnoException).code?.startsWith('Z')
      ? new Refusal(
          400,
          `The minidump could not be decompressed: ${(error as Error).message}`,
          'invalid_minidump',
        )
      : error;
    decoder.destroy();
  });
  return {
    async write(chunk) {
      if (failure) throw failure;
      // Ends also when the decoder was destroyed for a failure.
      const written = new Promise<void>((resolve) => {
        decoder.write(chunk, () => resolve());
      });
      await Promise.race([written, drained]);
      if (failure) throw failure;
    },
    async end() {
      decoder.end();
      await drained;
      if (failure) throw failure;
    },
  };
}

/** The dump within a form within the field. */
function takeForm(head: Buffer, inner: Taker): Taker {
  const line = head.toString('latin1', 2, head.includes(10) ? head.indexOf(10) : head.length).trimEnd();
  let hasDump = false;
  const form = new MultipartReader(`multipart/form-data; boundary="${line.replace(/["\\]/g, '')}"`, {
    async onFile({ field, stream }) {
      const isDump = field === MINIDUMP_FIELD && !hasDump;
      if (isDump) hasDump = true;
      for await (const part of stream) if (isDump) await inner.write(part as Buffer);
      if (isDump) await inner.end();
    },
    onField() {},
  });
  return {
    write: (chunk) => form.write(chunk),
    async end() {
      await form.end();
      if (!hasDump) {
        throw new Refusal(
          400,
          `The form has no ${MINIDUMP_FIELD} part: send the dump in it`,
          'missing_minidump',
        );
      }
    },
  };
}
