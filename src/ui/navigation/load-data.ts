import { DataLoadError, RouteCancelledError } from './navigation-errors.ts';
import { retryRequest } from './retry-request.ts';

/**
 * Loads JSON of this origin for a part of a page: the one way by which the pages ask in the browser. Server errors are
 * retried up to three times. Throws `DataLoadError` for any other answer than 2xx and when there is none, and
 * `RouteCancelledError` when the signal ends it. The caller vouches for the shape: both ends are this app.
 */
export async function loadData<T>(address: string, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return (await request(address, { method: 'GET' }, signal)).json() as Promise<T>;
}

/** As `loadData`, for a question too long for an address: it changes nothing, and may be asked again. */
export async function askData<T>(
  address: string,
  question: unknown,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  };
  return (await request(address, asked, signal)).json() as Promise<T>;
}

/** As `loadData`, for text. */
export async function loadText(address: string, { signal }: { signal?: AbortSignal } = {}): Promise<string> {
  return (await request(address, { method: 'GET' }, signal)).text();
}

/** As `loadData`, for bytes as they arrive. What breaks off behind the first of them is not asked for again. */
export async function loadBytes(
  address: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await request(address, { method: 'GET' }, signal);
  return body ?? new ReadableStream({ start: (controller) => controller.close() });
}

/** Tells the server something that may be told twice without harm. Goes on when the page is left. */
export async function tellServer(address: string): Promise<void> {
  await request(address, { method: 'POST', keepalive: true });
}

async function request(address: string, asked: RequestInit, signal?: AbortSignal): Promise<Response> {
  const path = address.split('?')[0] ?? address;
  // A redirect leads to the sign-in page, which is no answer to this.
  const init: RequestInit = { ...asked, redirect: 'error', signal: signal ?? null };
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
  if (!response.ok) throw new DataLoadError(path, response.status, { detail: await detailOf(response) });
  return response;
}

async function detailOf(response: Response): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null);
  const detail = body && typeof body === 'object' && 'detail' in body ? body.detail : null;
  return typeof detail === 'string' ? detail : null;
}
