import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';

export type PerformanceAnswer<T> =
  | { kind: 'found'; value: T }
  /** `field` is `query` when the search is wrong. */
  | { kind: 'invalid'; message: string; field: string | null }
  | { kind: 'unavailable'; reason: string };

/** A question may take longer than other pages do. */
const ANSWER_MS_MAX = 15_000;

/** What a verb answers, or why it could not. */
export async function readPerformance<T>(reading: Promise<T>): Promise<PerformanceAnswer<T>> {
  try {
    const answer = await orUnavailable(reading, ANSWER_MS_MAX);
    return answer.ok
      ? { kind: 'found', value: answer.value }
      : { kind: 'unavailable', reason: answer.reason };
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid') throw error;
    return { kind: 'invalid', message: error.message, field: error.field };
  }
}
