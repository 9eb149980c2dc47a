import { isErrataError } from './errors.ts';

/** A result, or why it is unavailable now. */
export type OrUnavailable<T> = { ok: true; value: T } | { ok: false; reason: string };

/** A store that hangs counts as unavailable, so that the page goes on without it. */
const ANSWER_MS_MAX = 8_000;

/** Turns a store that is unavailable or hangs into a result, so that it costs one part of a page. Other errors are thrown. */
export async function orUnavailable<T>(
  promise: Promise<T>,
  answerMsMax = ANSWER_MS_MAX,
): Promise<OrUnavailable<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<OrUnavailable<T>>((resolve) => {
    const reason = `No response within ${answerMsMax / 1000} seconds`;
    timer = setTimeout(() => resolve({ ok: false, reason }), answerMsMax);
  });
  try {
    return await Promise.race([promise.then((value) => ({ ok: true as const, value })), late]);
  } catch (error) {
    if (isErrataError(error) && error.code === 'unavailable') return { ok: false, reason: error.message };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
