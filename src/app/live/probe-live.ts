import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';

/**
 * Whether the address refuses a stream because too many are open: then the server answers everything else. After any
 * other answer (the server restarts, a proxy speaks for it, the session has ended) that is not known.
 */
export async function isLiveBusy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { cache: 'no-store', signal });
    if (response.status !== 429 && response.status !== 503) {
      // It may be the stream itself by now, which has no end.
      await response.body?.cancel();
      return false;
    }
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'code' in body && body.code === LIVE_BUSY_CODE;
  } catch {
    return false;
  }
}
