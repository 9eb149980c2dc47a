import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';

/** What a question about stored rows found, or why it could not be asked. */
export type QuestionAnswer<T> = { kind: 'found'; value: T } | QuestionProblem;

export type QuestionProblem =
  /** `field` is `query` when the search is wrong. */
  { kind: 'invalid'; message: string; field: string | null } | { kind: 'unavailable'; reason: string };

/** A question may take longer than other pages do. */
const ANSWER_MS_MAX = 15_000;

/** What a verb answers, or why it could not. */
export async function readAnswer<T>(reading: Promise<T>): Promise<QuestionAnswer<T>> {
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
