import { unavailable } from '#lib/errors.ts';
import type { SpoolRecord } from '#storage/ports/spool.ts';
import { CHUNKS_PER_THREAD_MAX, cutIntoChunks, packChunk } from './cut-chunks.ts';
import { type Job, PoolThread, type PoolThreadOptions } from './pool-thread.ts';
import type { Assumed, AssumedResult, Understanding } from './understand-apart.ts';

export type ThreadPoolOptions = PoolThreadOptions & { threads: number };

/** Threads that understand records. One that dies or hangs is replaced, and the record that it had fails. */
export class ThreadPool implements Understanding {
  readonly #threads: PoolThread[];
  /** Chunks that wait for a thread: of two batches at most, the one that is stored after and one that is cut anew. */
  readonly #queue: Job[] = [];
  #isStopping = false;

  constructor(options: ThreadPoolOptions) {
    const events = {
      onRoom: () => this.#deal(),
      onEnded: (waiting: readonly Job[], failure: string | null) => {
        this.#queue.unshift(...waiting);
        if (failure !== null && !this.#threads.some(({ isReady }) => isReady)) {
          this.#rejectAll(`The threads of digest could not be started (${failure})`);
        }
        this.#deal();
      },
    };
    this.#threads = Array.from({ length: options.threads }, () => new PoolThread(options, events));
  }

  async understand(
    spoolId: string,
    records: readonly SpoolRecord[],
    assumed: readonly Assumed[],
  ): Promise<AssumedResult[]> {
    if (this.#isStopping) throw unavailable('The threads of digest are being stopped');
    const jobs = cutIntoChunks(records, this.#threads.length).map(({ from, to }): Job => {
      const own = records.slice(from, to);
      return {
        chunk: () => packChunk(spoolId, own, assumed.slice(from, to)),
        positions: own.map(({ position }) => position),
        done: Promise.withResolvers(),
      };
    });
    this.#queue.push(...jobs);
    this.#deal();
    // All of them: whoever cuts the batch anew finds the threads idle.
    const results = await Promise.allSettled(jobs.map(({ done }) => done.promise));
    return results.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  /** What was answered of these projects counts no more; null for all. */
  forget(projectIds: readonly number[] | null): void {
    for (const thread of this.#threads) thread.send({ type: 'forget', projectIds });
  }

  /** Files were uploaded, or are gone. */
  forgetSymbols(): void {
    for (const thread of this.#threads) thread.send({ type: 'forget-symbols' });
  }

  /** `database` lies in shared memory. */
  shareGeo(database: Uint8Array): void {
    for (const thread of this.#threads) thread.shareGeo(database);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#rejectAll('Digest is being stopped');
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  #rejectAll(message: string): void {
    for (const { done } of this.#queue.splice(0)) done.reject(unavailable(message));
  }

  #deal(): void {
    for (let room = 0; room < CHUNKS_PER_THREAD_MAX; room++) {
      for (const thread of this.#threads) {
        if (thread.chunks > room || !thread.isReady) continue;
        const job = this.#queue.shift();
        if (!job) return;
        thread.take(job);
      }
    }
  }
}
