import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { messageOf, unavailable } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { unpackRecords } from './pack-records.ts';
import {
  type Answers,
  type Chunk,
  type FromThread,
  PROGRESS,
  type ToThread,
  toError,
  toFailure,
} from './thread-messages.ts';
import { type AssumedResult, RecordFailed } from './understand-apart.ts';

/** A thread that has a record and has not been heard of for so long hangs: as long as a role may be silent. */
const SILENCE_MS_MAX = 30_000;
/** A thread that does not start is tried again after so long. */
const RESTART_MS = 1_000;
/** Memory of one thread in MiB, beside what it shares: one that needs more dies, and its record is found. */
const HEAP = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 48 } as const;

export type PoolThreadOptions = {
  /** The module of a thread, which calls `serveChunks`. */
  module: URL;
  /** What the module gets, beside the memory that shows its progress. */
  workerData?: object;
  answers: Answers;
  log: Log;
  silenceMsMax?: number;
};

type PoolThreadEvents = {
  /** It can take a chunk. */
  onRoom(): void;
  /** It ended with these chunks unread; `failure` is why it could not be started at all, null when it had been. */
  onEnded(waiting: readonly Job[], failure: string | null): void;
};

export type Job = {
  chunk: () => Chunk;
  positions: readonly number[];
  done: PromiseWithResolvers<AssumedResult[]>;
};

/** One thread and those that come after it. */
export class PoolThread {
  readonly #options: PoolThreadOptions;
  readonly #events: PoolThreadEvents;
  /** In the order in which they are understood. */
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | null = null;
  #progress: Int32Array = new Int32Array(PROGRESS.bytes);
  #lastBeat = 0;
  #lastBeatAt = 0;
  #geo: Uint8Array | null = null;
  #nextId = 1;
  #isStopping = false;
  #cause = '';
  readonly #watch: NodeJS.Timeout;
  isReady = false;

  constructor(options: PoolThreadOptions, events: PoolThreadEvents) {
    this.#options = options;
    this.#events = events;
    this.#start();
    const silenceMsMax = options.silenceMsMax ?? SILENCE_MS_MAX;
    this.#watch = setInterval(() => this.#endWhenSilent(silenceMsMax), silenceMsMax / 10).unref();
  }

  get chunks(): number {
    return this.#jobs.size;
  }

  take(job: Job): void {
    const id = this.#nextId++;
    if (this.#jobs.size === 0) this.#lastBeatAt = performance.now();
    this.#jobs.set(id, job);
    const chunk = job.chunk();
    this.send({ type: 'chunk', id, chunk }, [chunk.bytes.buffer]);
  }

  send(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  shareGeo(database: Uint8Array): void {
    this.#geo = database;
    this.send({ type: 'geo', database });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    await this.#worker?.terminate();
  }

  #start(): void {
    const { module, workerData } = this.#options;
    const progress = new Int32Array(new SharedArrayBuffer(PROGRESS.bytes));
    this.#progress = progress;
    // A limit for the heap of the process would hold for the thread in place of its own.
    setFlagsFromString('--max-old-space-size=0');
    const worker = new Worker(module, { workerData: { ...workerData, progress }, resourceLimits: HEAP });
    this.#worker = worker;
    this.#cause = 'it exited';
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', (error) => {
      this.#cause = messageOf(error);
    });
    worker.once('exit', () => this.#replace(this.#cause));
    if (this.#geo) this.send({ type: 'geo', database: this.#geo });
  }

  #hear(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        break;
      case 'question':
        void this.#answer(message.id, message.question);
        return;
      case 'understood': {
        const job = this.#finish(message.id);
        const records = unpackRecords(message.packed);
        job?.done.resolve(
          records.map((record, index) => ({ ...record, askedIds: message.askedIds[index]! })),
        );
        break;
      }
      case 'failed': {
        const error = toError(message.failure);
        const job = this.#finish(message.id);
        job?.done.reject(
          message.failure.isUnavailable ? error : new RecordFailed(message.position, error.message),
        );
      }
    }
    this.#events.onRoom();
  }

  async #answer(id: number, question: Extract<FromThread, { type: 'question' }>['question']): Promise<void> {
    const worker = this.#worker;
    const { answers } = this.#options;
    try {
      const answer =
        question.what === 'project'
          ? answers.findProject(question.projectId)
          : await answers.findSymbols(question.scope, question.wishes);
      if (worker === this.#worker) this.send({ type: 'answer', id, answer, failure: null });
    } catch (error) {
      if (worker === this.#worker) this.send({ type: 'answer', id, answer: null, failure: toFailure(error) });
    }
  }

  #finish(id: number): Job | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    this.#lastBeatAt = performance.now();
    return job;
  }

  /** The thread that died or was ended had one record in hand; what waited behind it is understood by the next one. */
  #replace(cause: string): void {
    const wasReady = this.isReady;
    const record = Atomics.load(this.#progress, PROGRESS.record);
    this.isReady = false;
    this.#worker = null;
    const [current, ...waiting] = [...this.#jobs.values()];
    this.#jobs.clear();
    if (this.#isStopping) {
      for (const job of [current, ...waiting]) job?.done.reject(unavailable('Digest is being stopped'));
      return;
    }
    this.#options.log.error({ cause }, 'A thread of digest ended and is replaced');
    const position = current?.positions[record - 1];
    const detail = `The thread that had the record ended: ${cause}`;
    // Between two records nobody knows which one it was.
    current?.done.reject(
      position === undefined ? new Error(detail) : new RecordFailed(position, detail, true),
    );
    if (wasReady) this.#start();
    else setTimeout(() => this.#isStopping || this.#start(), RESTART_MS).unref();
    this.#events.onEnded(waiting, wasReady ? null : cause);
  }

  #endWhenSilent(silenceMsMax: number): void {
    const nowMs = performance.now();
    const beat = Atomics.load(this.#progress, PROGRESS.beat);
    if (beat !== this.#lastBeat || this.#jobs.size === 0) {
      this.#lastBeat = beat;
      this.#lastBeatAt = nowMs;
    } else if (nowMs - this.#lastBeatAt > silenceMsMax) {
      this.#cause = 'it hung';
      void this.#worker?.terminate();
    }
  }
}
