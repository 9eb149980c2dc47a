import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/log.ts';

/** Something that runs until it ends or is stopped. */
export type Running = {
  pid: number;
  exited: Promise<void>;
  /** Killed when it takes longer; engines have bounds of their own. */
  stop(msMax: number): Promise<void>;
};

const RESTART_MS = { first: 100, last: 5_000 } as const;
/** A process that ran this long had started well: the next restart is quick again. */
const STEADY_MS = 30_000;

/** Keeps one process running: starts it again with a growing pause whenever it ends by itself. */
export class SupervisedProcess {
  readonly name: string;
  readonly #start: () => Promise<Running>;
  readonly #onStarted: () => void;
  readonly #log: Log;
  #running: Running | null = null;
  #isStopping = false;
  #stopMsMax = 0;
  #restarts = 0;

  constructor(name: string, start: () => Promise<Running>, onStarted: () => void, log: Log) {
    this.name = name;
    this.#start = start;
    this.#onStarted = onStarted;
    this.#log = log;
  }

  /** 0 while it is not running. */
  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Rejects when the very first start fails. */
  async start(): Promise<void> {
    this.#running = await this.#start();
    this.#onStarted();
    void this.#watch();
  }

  async stop(msMax: number): Promise<void> {
    this.#isStopping = true;
    this.#stopMsMax = msMax;
    await this.#running?.stop(msMax);
  }

  async #watch(): Promise<void> {
    let pauseMs: number = RESTART_MS.first;
    let startedAt = performance.now();
    while (this.#running) {
      await this.#running.exited;
      this.#running = null;
      if (this.#isStopping) return;
      if (performance.now() - startedAt > STEADY_MS) pauseMs = RESTART_MS.first;
      this.#log.error({ part: this.name, pauseMs }, `${this.name} ended and is started again`);
      while (!this.#running) {
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, RESTART_MS.last);
        if (this.#isStopping) return;
        this.#restarts += 1;
        try {
          this.#running = await this.#start();
          startedAt = performance.now();
          this.#onStarted();
        } catch (error) {
          this.#log.error({ part: this.name, error: String(error) }, `${this.name} could not be started`);
        }
      }
      // Stopped while it was starting.
      if (this.#isStopping) await this.#running.stop(this.#stopMsMax);
    }
  }
}
