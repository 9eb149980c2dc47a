import { RETRY_PAUSES_MS, SERVER_ERROR_RETRIES_MAX } from './limits.ts';

export type Send = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** A server that is restarting answers 502 or 503 for a moment. 4xx is an answer: it never changes by asking again. */
const isServerError = (response: Response): boolean => response.status >= 500;

/**
 * Sends until the answer is no server error, at most four times. `isWanted` is asked before each retry. Answers the
 * last response whatever its status; throws what `send` throws, such as when there is no network.
 */
export async function retryRequest(
  send: () => Promise<Response>,
  isWanted: () => boolean = () => true,
): Promise<Response> {
  let response = await send();
  for (let retry = 0; retry < SERVER_ERROR_RETRIES_MAX && isServerError(response); retry++) {
    await pause((RETRY_PAUSES_MS[retry] ?? 0) * (1 + Math.random() / 4));
    if (!isWanted()) break;
    response = await send();
  }
  return response;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
