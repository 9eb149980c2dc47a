import { isErrataError } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';

/** What clients of the upload protocol are told, in its words. */
export type AssembleAnswer = {
  /** `assembling`: ask again; `not_found`: send the missing parts, and ask again. */
  state: 'not_found' | 'assembling' | 'ok' | 'error';
  missingChunks: readonly Checksum[];
  /** Why it failed, or null. */
  detail: string | null;
};

/** Uploads that are put together at once in this process, and those that wait for it. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 16;
/** A client is answered by then; it asks again for what takes longer. */
const ANSWER_WITHIN_MS = 20_000;
/** How long the result of what took longer waits for that question. */
const KEPT_MS = 120_000;

const runs = new Map<string, Promise<AssembleAnswer>>();
let unfinished = 0;
const inTurn = limitConcurrency((work: () => Promise<AssembleAnswer>) => work(), AT_ONCE_MAX);

export const answerOf = (
  state: AssembleAnswer['state'],
  missingChunks: readonly Checksum[] = [],
  detail: string | null = null,
): AssembleAnswer => ({ state, missingChunks, detail });

/** The answer for an upload that is itself invalid, so that clients stop retrying. Throws every other error. */
export function answerOfFailure(error: unknown): AssembleAnswer {
  if (isErrataError(error) && (error.code === 'invalid' || error.code === 'not_found')) {
    return answerOf('error', [], error.message);
  }
  throw error;
}

/** Runs the work once for concurrent callers of a key; 'assembling' when it takes long. Throws what the work throws. */
export async function runAssemble(key: string, work: () => Promise<AssembleAnswer>): Promise<AssembleAnswer> {
  const run = runs.get(key) ?? (unfinished < AT_ONCE_MAX + WAITING_MAX ? begin(key, work) : null);
  if (run === null) return answerOf('assembling');
  try {
    const answer = await within(run, ANSWER_WITHIN_MS);
    if (answer === null) return answerOf('assembling');
    forget(key, run);
    return answer;
  } catch (error) {
    forget(key, run);
    throw error;
  }
}

function begin(key: string, work: () => Promise<AssembleAnswer>): Promise<AssembleAnswer> {
  const run = inTurn(work);
  runs.set(key, run);
  unfinished += 1;
  const settled = () => {
    unfinished -= 1;
    // Whoever asks next gets the result; after a while nobody does any more.
    setTimeout(() => forget(key, run), KEPT_MS).unref();
  };
  run.then(settled, settled);
  return run;
}

function forget(key: string, run: Promise<AssembleAnswer>): void {
  if (runs.get(key) === run) runs.delete(key);
}

/** null when it takes longer. */
async function within(run: Promise<AssembleAnswer>, ms: number): Promise<AssembleAnswer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}
