import { LIMITS } from '../limits.ts';
import { Refusal } from './ingest-request.ts';
import type { Reading } from './spool-request.ts';
import type { StagedBody } from './staged-bodies.ts';

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
