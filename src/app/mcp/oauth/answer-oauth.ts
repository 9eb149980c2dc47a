import { addressGroup, clientAddress } from '#lib/client-address.ts';
import { ErrataError, httpStatus, invalid, isErrataError } from '#lib/errors.ts';
import { readBody } from '#lib/request-json.ts';
import { createThrottle } from '#lib/throttle.ts';

const BODY_BYTES_MAX = 16 * 1024;
/** Clients call once an hour; many can share one address. */
const throttle = createThrottle({ triesMax: 120, refillMs: 1_000 });

const UNCACHED = { 'cache-control': 'no-store', pragma: 'no-cache' };

export const answerUncached = (body: unknown, status = 200): Response =>
  body === null
    ? new Response(null, { status, headers: UNCACHED })
    : Response.json(body, { status, headers: UNCACHED });

/** Runs a client's request; errors that it can correct have the format of RFC 6749 and 7591. */
export async function answerOauth(
  request: Request,
  errorName: string,
  answer: (text: string, ipAddress: string | null) => Promise<Response>,
): Promise<Response> {
  const ipAddress = clientAddress(request.headers);
  try {
    const waitSeconds = throttle.take(addressGroup(ipAddress));
    if (waitSeconds !== null) {
      throw new ErrataError('rate_limited', 'Too many requests from this address', {
        retryAfterSeconds: waitSeconds,
      });
    }
    return await answer(await readText(request), ipAddress);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const name = error.code === 'invalid' ? errorName : 'temporarily_unavailable';
    const response = answerUncached(
      { error: name, error_description: error.message },
      httpStatus(error.code),
    );
    if (error.retryAfterSeconds !== null) {
      response.headers.set('retry-after', String(error.retryAfterSeconds));
    }
    return response;
  }
}

async function readText(request: Request): Promise<string> {
  const body = await readBody(request, BODY_BYTES_MAX);
  if (!body) throw invalid(`The body is larger than ${BODY_BYTES_MAX} bytes`);
  return body.toString('utf8');
}
