import { DataLoadError, RouteCancelledError } from './navigation-errors.ts';
import { retryRequest } from './retry-request.ts';

/**
 * Loads JSON of this origin for a part of a page: the one way by which the pages ask in the browser. Server errors are
 * retried up to three times. Throws `DataLoadError` for any other answer than 2xx and when there is none, and
 * `RouteCancelledError` when the signal ends it. The caller vouches for the shape: both ends are this app.
 */
export async function loadData<T>(address: string, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return (await request(address, 'GET', signal)).json() as Promise<T>;
}

/** As `loadData`, for text. */
export async function loadText(address: string, { signal }: { signal?: AbortSignal } = {}): Promise<string> {
  return (await request(address, 'GET', signal)).text();
}

/** Tells the server something that may be told twice without harm. Goes on when the page is left. */
export async function tellServer(address: string): Promise<void> {
  await request(address, 'POST');
}

async function request(address: string, method: 'GET' | 'POST', signal?: AbortSignal): Promise<Response> {
  const path = address.split('?')[0] ?? address;
  // A redirect leads to the sign-in page, which is no answer to this.
  const init: RequestInit = {
    method,
    redirect: 'error',
    keepalive: method === 'POST',
    signal: signal ?? null,
  };
  let response: Response;
  try {
    response = await retryRequest(
      () => fetch(address, init),
      () => !signal?.aborted,
    );
  } catch (error) {
    if (signal?.aborted) throw new RouteCancelledError(path, { cause: error });
    throw new DataLoadError(path, null, { cause: error });
  }
  if (signal?.aborted) throw new RouteCancelledError(path);
  if (!response.ok) throw new DataLoadError(path, response.status);
  return response;
}
