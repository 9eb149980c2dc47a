import { ErrataError, invalid } from '#lib/errors.ts';

/** Trackers send at most 25 MiB; what people push at once is far less. */
const HOOK_BYTES_MAX = 8 * 1024 * 1024;
/** Of all messages that are read or understood at once, and of those to one tracker: the others have room beside it. */
const BYTES_AT_ONCE_MAX = 32 * 1024 * 1024;
const BYTES_OF_TRACKER_MAX = 8 * 1024 * 1024;
/** Trackers wait no longer for an answer. */
const READ_MS_MAX = 10_000;
const RETRY_AFTER_SECONDS = 10;

let heldByAll = 0;
/** By tracker; one that holds nothing is not in it. */
const heldBy = new Map<number, number>();

/**
 * Reads a message to a tracker, and keeps its room until `use` is through with it. Only bytes that came take room, since
 * anybody can announce some: whose they are is known once all are there. Throws Invalid, and Unavailable without room.
 */
export async function withHookBody<Result>(
  request: Request,
  trackerId: number,
  use: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  if (!(Number(request.headers.get('content-length') ?? 0) <= HOOK_BYTES_MAX)) throw tooLarge();
  let held = 0;
  const hold = (bytes: number) => {
    takeRoom(trackerId, bytes);
    held += bytes;
  };
  try {
    return await use(await readBody(request, hold));
  } finally {
    giveRoomBack(trackerId, held);
  }
}

function takeRoom(trackerId: number, bytes: number): void {
  const heldByTracker = (heldBy.get(trackerId) ?? 0) + bytes;
  if (heldByTracker > BYTES_OF_TRACKER_MAX || heldByAll + bytes > BYTES_AT_ONCE_MAX) {
    throw new ErrataError('unavailable', 'Too many concurrent messages: try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  heldBy.set(trackerId, heldByTracker);
  heldByAll += bytes;
}

function giveRoomBack(trackerId: number, bytes: number): void {
  const left = (heldBy.get(trackerId) ?? 0) - bytes;
  if (left > 0) heldBy.set(trackerId, left);
  else heldBy.delete(trackerId);
  heldByAll -= bytes;
}

/** `hold` takes the room of a piece before it is kept. */
async function readBody({ body }: Request, hold: (bytes: number) => void): Promise<Buffer> {
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
      if (isLate) throw invalid(`The message did not arrive within ${READ_MS_MAX / 1_000} seconds`);
      if (!value) return Buffer.concat(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > HOOK_BYTES_MAX) throw tooLarge();
      hold(value.byteLength);
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

const tooLarge = () => invalid(`The message is larger than ${HOOK_BYTES_MAX} bytes`);
