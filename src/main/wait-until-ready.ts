import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const ASK_EVERY_MS = 100;
const ANSWER_MS_MAX = 5_000;

/**
 * Asks `/health/ready` until it answers 200, `timeoutMs` have passed, or `isStopping` says so. null when it answered 200
 * or is stopping; else what was missing at last.
 */
export async function waitUntilReady(
  localUrl: string,
  metricsToken: string,
  { timeoutMs, isStopping }: { timeoutMs: number; isStopping(): boolean },
): Promise<string | null> {
  const deadline = performance.now() + timeoutMs;
  let last = 'no answer yet';
  while (!isStopping()) {
    try {
      const { status, body } = await askReadiness(localUrl, metricsToken);
      // Another Errata on this port does not know our token, and tells us less.
      const isOurs = body.includes('"checks"');
      if (status === 200 && isOurs) return null;
      last = isOurs ? body : `${localUrl} is answered by something else`;
    } catch (error) {
      last = String(error);
    }
    if (performance.now() >= deadline) return last.slice(0, 2_000);
    await delay(ASK_EVERY_MS);
  }
  return null;
}

/** By the plain client: with `fetch` the supervisor would hold 4 MB for it as long as it runs. */
async function askReadiness(localUrl: string, token: string): Promise<{ status: number; body: string }> {
  const request = get(`${localUrl}/health/ready`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return { status: response.statusCode ?? 0, body };
}
