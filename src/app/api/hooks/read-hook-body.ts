import { ErrataError, invalid } from '#lib/errors.ts';

/** Trackers send at most 25 MiB; what people push at once is far less. */
export const HOOK_BYTES_MAX = 8 * 1024 * 1024;
/** Of all messages that are read or understood at once: whose they are is known only after that. */
const BYTES_AT_ONCE_MAX = 32 * 1024 * 1024;
/** Trackers wait no longer for an answer. */
const READ_MS_MAX = 10_000;
const RETRY_AFTER_SECONDS = 10;

let held = 0;

/** Reads a message, and keeps its room until `use` is through with it. Throws Invalid, and Unavailable without room. */
export async function withHookBody<Result>(
  request: Request,
  use: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  const length = request.headers.get('content-length');
  const bytes = length === null ? HOOK_BYTES_MAX : Number(length);
  if (!(bytes <= HOOK_BYTES_MAX)) throw tooLarge();
  if (held + bytes > BYTES_AT_ONCE_MAX) {
    throw new ErrataError('unavailable', 'Too many messages come at once: send it again', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  held += bytes;
  try {
    return await use(await readBody(request));
  } finally {
    held -= bytes;
  }
}

async function readBody({ body }: Request): Promise<Buffer> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader?.cancel().catch(() => undefined);
  }, READ_MS_MAX);
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (isLate) throw invalid(`The message did not come within ${READ_MS_MAX / 1_000} seconds`);
      if (!value) return Buffer.concat(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > HOOK_BYTES_MAX) throw tooLarge();
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

const tooLarge = () => invalid(`The message has more than ${HOOK_BYTES_MAX} bytes`);
