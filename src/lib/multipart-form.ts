import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { messageOf } from './errors.ts';

export type FormFile = {
  field: string;
  filename: string;
  /** As the part says; `text/plain` when it says nothing. */
  contentType: string;
  /** Must be read to its end. */
  stream: Readable;
};

export type FormHandlers = {
  /** What it has not read yet of the file holds up all that comes after. */
  onFile(file: FormFile): Promise<void>;
  onField(name: string, value: string): void;
  /** All of the form was read; files may still be worked on. */
  onEnd?(): void;
};

export type FormRules = {
  filesMax: number;
  /** What the sender calls its files. */
  filesAre: string;
  fieldsMax: number;
  /** Bytes of one field, and of all together. */
  fieldBytesMax: number;
  /** `filename` is undefined when the part names none. */
  isFile(field: string, filename: string | undefined): boolean;
  /** The content type names no boundary. */
  noBoundary(): Error;
  unreadable(reason: string): Error;
  /** `what` says which bound was passed, as a sentence without its end. */
  tooMuch(what: string): Error;
};

const PART_HEADER_BYTES_MAX = 16 * 1024;
const PART_HEADERS_MAX = 50;

/** Reads `multipart/form-data` as it arrives; nothing but fields is held. */
export class MultipartForm {
  readonly #boy: BusboyInstance;
  readonly #files: Promise<void>[] = [];
  readonly #streams = new Set<Readable>();
  #fieldBytes = 0;
  #failure: Error | null = null;
  #onFailure: ((error: Error) => void) | null = null;

  /** Throws what the rules say when the content type names no boundary. */
  constructor(contentType: string, rules: FormRules, handlers: FormHandlers) {
    this.#boy = openBusboy(contentType, rules);
    this.#boy.on('error', (error) => this.#fail(rules.unreadable(messageOf(error))));
    this.#boy.on('file', (field, stream, filename, _encoding, type) => {
      const file = { field: field ?? '', filename: filename ?? '', contentType: type, stream };
      this.#streams.add(stream);
      // Whoever reads it is told; nobody may be reading yet.
      stream.on('error', () => {});
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
      if (isTruncated || this.#fieldBytes > rules.fieldBytesMax) {
        this.#fail(rules.tooMuch(`The form fields are larger than ${rules.fieldBytesMax} bytes`));
        return;
      }
      handlers.onField(name ?? '', value);
    });
    this.#boy.once('finish', () => this.#failure ?? handlers.onEnd?.());
    this.#boy.on('filesLimit', () =>
      this.#fail(rules.tooMuch(`A request can contain at most ${rules.filesMax} ${rules.filesAre}`)),
    );
    this.#boy.on('fieldsLimit', () =>
      this.#fail(rules.tooMuch(`A request can contain at most ${rules.fieldsMax} form fields`)),
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

  /** Lets go of what is half read: whoever reads a file of it fails. */
  abort(): void {
    this.#failure ??= new Error('The multipart body was aborted');
    this.#boy.destroy();
    for (const stream of this.#streams) if (!stream.readableEnded) stream.destroy(this.#failure);
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

function openBusboy(contentType: string, rules: FormRules): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (field, _type, filename) => rules.isFile(field ?? '', filename),
      limits: {
        fieldSize: rules.fieldBytesMax,
        fields: rules.fieldsMax,
        files: rules.filesMax,
        headerPairs: PART_HEADERS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
      },
    });
  } catch {
    throw rules.noBoundary();
  }
}
