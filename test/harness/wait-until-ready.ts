import { until } from './until.ts';

/** Waits until every role and both stores answer. */
export async function waitUntilReady(url: string, timeoutMs = 120_000): Promise<void> {
  await until(
    'every part to be ready',
    async () => (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) })).status === 200,
    { timeoutMs, everyMs: 200 },
  );
}
