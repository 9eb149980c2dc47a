import { isErrataError } from './errors.ts';

/** A part of an answer: its content, or why it cannot be had now. */
export type Part<T> = { ok: true; value: T } | { ok: false; reason: string };

/** A store that hangs is as good as away: what asks goes on without it. */
const ANSWER_MS_MAX = 8_000;

/** A store that does not answer costs its part of the answer, not the whole. Other errors stay errors. */
export async function settle<T>(promise: Promise<T>, answerMsMax = ANSWER_MS_MAX): Promise<Part<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Part<T>>((resolve) => {
    const reason = `It did not answer within ${answerMsMax / 1000} seconds`;
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
