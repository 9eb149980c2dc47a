import { type FormFile, type FormHandlers, type FormRules, MultipartForm } from '#lib/multipart-form.ts';
import { LIMITS } from '../limits.ts';
import { BodyError } from '../read-body.ts';
import { Refusal } from './ingest-request.ts';
import type { Reading } from './spool-request.ts';
import type { StagedBody } from './staged-bodies.ts';

export type MultipartFile = FormFile;

/** The field that holds a minidump, whatever its part says of itself. */
export const MINIDUMP_FIELD = 'upload_file_minidump';

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data\b/i.test(contentType);

/**
 * A part with a file name is a file, as is a dump without one; all others are fields.
 * Source: relay-server/src/utils/multipart.rs.
 */
const RULES: FormRules = {
  filesMax: LIMITS.attachmentsMax,
  filesAre: 'attachments',
  fieldsMax: LIMITS.formFieldsMax,
  fieldBytesMax: LIMITS.formFieldBytesMax,
  isFile: (field, filename) => filename !== undefined || field === MINIDUMP_FIELD,
  noBoundary: () =>
    new Refusal(
      400,
      'The content type is not multipart/form-data with a boundary: set it as your HTTP library makes it',
      'invalid_multipart',
    ),
  unreadable: (reason) => new BodyError(400, `The multipart body cannot be read: ${reason}`),
  tooMuch: (what) => new Refusal(413, `${what}: send less at once`, 'too_large'),
};

/** A form of a crash report or of attachments. Throws Refusal when the content type names no boundary. */
export class MultipartReader extends MultipartForm {
  constructor(contentType: string, handlers: FormHandlers) {
    super(contentType, RULES, handlers);
  }

  /** The whole body of a request. Throws what reading it and the handlers throw. */
  async read(reading: Reading): Promise<void> {
    try {
      await reading.take(LIMITS.envelopeBytesMax, (chunk) => this.write(chunk));
      await this.end();
    } catch (error) {
      this.abort();
      throw error;
    }
  }
}

/** Opens bodies for the files of one request, which share a bound. */
export class AttachmentParts {
  readonly #reading: Reading;
  readonly #projectId: number;
  #bytes = 0;

  constructor(reading: Reading, projectId: number) {
    this.#reading = reading;
    this.#projectId = projectId;
  }

  /** Its `write` throws Refusal at the bound, and what a staged body throws. */
  open(occupied?: (fileBytes: number) => number): { body: StagedBody; write(part: Uint8Array): void } {
    const body = this.#reading.bodies.open(this.#projectId, occupied);
    return {
      body,
      write: (part) => {
        this.#bytes += part.length;
        if (this.#bytes > LIMITS.attachmentBytesMax) throw tooLargeAttachments();
        body.write(part);
      },
    };
  }
}

const tooLargeAttachments = (): Refusal =>
  new Refusal(
    413,
    `The attachments are larger than ${LIMITS.attachmentBytesMax} bytes: send fewer or smaller ones`,
    'too_large',
  );
