import { occupiedByReport } from '../blob-room.ts';
import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { collectOne, makeEventId } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { AttachmentParts } from './multipart.ts';
import { spoolRequest } from './spool-request.ts';

/** The user ID in the address of an Unreal report. */
const USER_CHARACTERS_MAX = 500;

/**
 * Accepts `POST /api/<project>/unreal/<key>/`: the report of Unreal Engine's crash reporter, as it is.
 * Source: relay-server/src/endpoints/unreal.rs; format: symbolic-unreal.
 */
export async function acceptUnreal(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, 'unreal_report');
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, 'unreal_report', async (reading) => {
    const { body, write } = new AttachmentParts(reading, key.projectId).open(occupiedByReport);
    let head = Buffer.alloc(0);
    await reading.take(REQUEST_BOUNDS.attachmentBytesMax, (chunk) => {
      if (head.length < MAGIC_BYTES) {
        head = Buffer.concat([head, chunk.subarray(0, MAGIC_BYTES)]);
        if (head.length >= MAGIC_BYTES) checkMagic(head);
      }
      write(chunk);
    });
    if (head.length === 0) throw new Refusal(400, 'The body is empty: send the report', 'no_data');
    checkMagic(head);
    const user = request.query.get('UserID')?.slice(0, USER_CHARACTERS_MAX);
    return collectOne('unreal_report', body, makeEventId(), {
      contentType: 'application/octet-stream',
      ...(user && { unrealUser: user }),
    });
  });
}

const MAGIC_BYTES = 3;

/** `CR1`, or the frame of zlib around it. Throws Refusal. */
function checkMagic(head: Buffer): void {
  const [method = 0, flags = 0] = head;
  const isZlib = head.length >= 2 && (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
  if (isZlib || head.toString('latin1', 0, MAGIC_BYTES) === 'CR1') return;
  throw new Refusal(
    400,
    'The body is not an Unreal crash reporter report: point DataRouterUrl here and send it unchanged',
    'invalid_unreal_report',
  );
}
