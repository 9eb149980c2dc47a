import { unavailable } from '#lib/errors.ts';

const ANSWER_TIMEOUT_MS = 15_000;

/** A request to the running server. Throws Unavailable when nothing answers. */
export async function fetchLocal(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } catch (error) {
    throw unavailable(`No server answers at ${new URL(url).origin}: start it with npx errata serve`, error);
  }
}
