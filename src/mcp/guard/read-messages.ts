import { ErrataError, invalid } from '#lib/errors.ts';
import { readBody } from '#lib/read-body.ts';
import { parseRequestJson } from '#lib/request-json.ts';

export const BODY_BYTES_MAX = 1024 * 1024;
/** Messages of one request; only clients of the oldest protocol send several. */
export const MESSAGES_MAX = 20;

/** The JSON of a request and how many messages it holds. Throws Invalid. */
export async function readMessages(request: Request): Promise<{ body: unknown; count: number }> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (!bytes) throw new BodyTooLarge();
  const body = parseRequestJson(bytes);
  const count = Array.isArray(body) ? body.length : 1;
  if (count >= 1 && count <= MESSAGES_MAX) return { body, count };
  throw invalid(`Send 1 to ${MESSAGES_MAX} messages in one request`);
}

/** The body was larger than it may be. */
export class BodyTooLarge extends ErrataError {
  constructor() {
    super('invalid', `The body is larger than ${BODY_BYTES_MAX} bytes`);
  }
}
