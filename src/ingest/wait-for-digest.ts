import { setTimeout as delay } from 'node:timers/promises';
import { readAttempt } from './attempt-file.ts';

const LOOK_EVERY_MS = 100;
/** Between two stretches the file says for a moment that nothing is under way. */
const LOOKS_AT_FIRST = 3;

/**
 * Resolves when what the digest of this machine has understood by now is stored: once it has got past the stretch that
 * it has begun. After `timeoutMs` at the latest, since a store may be away, and when `signal` says stop.
 */
export async function waitForDigest(path: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const wait = () => delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  const endsAt = performance.now() + timeoutMs;
  let begunTo = 0;
  for (let looks = 1; ; looks++) {
    const attempt = readAttempt(path);
    if (looks <= LOOKS_AT_FIRST) begunTo = Math.max(begunTo, attempt?.to ?? 0);
    else if ((attempt?.from ?? 0) >= begunTo) return;
    if (signal?.aborted || performance.now() >= endsAt) return;
    await wait();
  }
}
