import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { LIMITS } from '../limits.ts';
import { BodyError } from '../read-body.ts';
import { Refusal } from './ingest-request.ts';

export type MultipartFile = {
  field: string;
  filename: string;
  /** As the part says; `text/plain` when it says nothing. */
  contentType: string;
  /** Must be read to its end. */
  stream: Readable;
};

export type MultipartHandlers = {
  /** The next file is not read before this has resolved. */
  onFile(file: MultipartFile): Promise<void>;
  onField(name: string, value: string): void;
};

/** Bytes of form fields of one request, all together. */
const FIELDS_BYTES_MAX = LIMITS.formFieldBytesMax;
const PART_HEADER_BYTES_MAX = 16 * 1024;

/**
 * Reads `multipart/form-data` as it arrives. A part with a file name is a file, as is a dump without one; all others
 * are fields. Source: relay-server/src/utils/multipart.rs.
 */
export class MultipartReader {
  readonly #boy: BusboyInstance;
  readonly #files: Promise<void>[] = [];
  #fieldBytes = 0;
  #failure: Error | null = null;
  #onFailure: ((error: Error) => void) | null = null;

  /** Throws Refusal when the content type names no boundary. */
  constructor(contentType: string, handlers: MultipartHandlers) {
    this.#boy = openBusboy(contentType);
    this.#boy.on('error', (error) =>
      this.#fail(
        new BodyError(
          400,
          `The multipart body cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ),
    );
    this.#boy.on('file', (field, stream, filename, _encoding, type) => {
      const file = { field: field ?? '', filename: filename ?? '', contentType: type, stream };
      this.#files.push(
        handlers.onFile(file).catch((error: unknown) => {
          // The rest of it has nowhere to go.
          stream.resume();
          this.#fail(error);
        }),
      );
    });
    this.#boy.on('field', (name, value, _nameTruncated, isTruncated) => {
      this.#fieldBytes += Buffer.byteLength(value);
      if (isTruncated || this.#fieldBytes > FIELDS_BYTES_MAX) {
        this.#fail(tooMany(`The form fields are larger than ${FIELDS_BYTES_MAX} bytes`));
        return;
      }
      handlers.onField(name ?? '', value);
    });
    this.#boy.on('filesLimit', () =>
      this.#fail(tooMany(`A request may hold ${LIMITS.attachmentsMax} attachments`)),
    );
    this.#boy.on('fieldsLimit', () =>
      this.#fail(tooMany(`A request may hold ${LIMITS.formFieldsMax} form fields`)),
    );
  }

  /** Resolves when more may be written. Rejects with whatever went wrong, also with what a handler threw. */
  write(chunk: Uint8Array): Promise<void> {
    return this.#step((done) => this.#boy.write(chunk, () => done()));
  }

  /** Resolves when every part was handled. */
  async end(): Promise<void> {
    await this.#step((done) => {
      this.#boy.once('finish', done);
      this.#boy.end();
    });
    await Promise.all(this.#files);
    if (this.#failure) throw this.#failure;
  }

  /** Lets go of what is half read. */
  abort(): void {
    this.#failure ??= new Error('The multipart body was given up');
    this.#boy.destroy();
  }

  #step(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#onFailure = reject;
      start(() => {
        this.#onFailure = null;
        if (this.#failure) reject(this.#failure);
        else resolve();
      });
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.#onFailure?.(this.#failure);
    this.#onFailure = null;
  }
}

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data\b/i.test(contentType);

/** The field that holds a minidump, whatever its part says of itself. */
export const MINIDUMP_FIELD = 'upload_file_minidump';

function openBusboy(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (field, _type, filename) => filename !== undefined || field === MINIDUMP_FIELD,
      limits: {
        fieldSize: LIMITS.formFieldBytesMax,
        fields: LIMITS.formFieldsMax,
        files: LIMITS.attachmentsMax,
        headerPairs: 50,
        headerSize: PART_HEADER_BYTES_MAX,
      },
    });
  } catch {
    throw new Refusal(
      400,
      'The content type is not multipart/form-data with a boundary: set it as your HTTP library makes it',
      'invalid_multipart',
    );
  }
}

const tooMany = (what: string): Refusal => new Refusal(413, `${what}: send less at once`, 'too_large');
