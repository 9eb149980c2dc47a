import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { FromGenerator, ToGenerator } from './load-generator.ts';

export type Load = Omit<Extract<ToGenerator, { type: 'start' }>, 'type'>;

export type LoadResult = {
  answered: number;
  refused: number;
  seconds: number;
  perSecond: number;
  bytesPerRequest: number;
  latencyMs: { p50: number; p95: number };
};

/** The load generator in a process of its own. */
export class GeneratorProcess {
  readonly #child: ChildProcess;
  #last: FromGenerator | null = null;
  #latenciesMs: number[] = [];
  #startedAt = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: FromGenerator) => {
      this.#last = message;
      this.#latenciesMs.push(...message.latenciesMs);
    });
  }

  static async open(): Promise<GeneratorProcess> {
    const child = fork(path.join(import.meta.dirname, 'load-generator.ts'));
    const generator = new GeneratorProcess(child);
    await once(child, 'message');
    return generator;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Events that were answered 200 since the start, about 100 ms old. */
  get answered(): number {
    return this.#last?.answered ?? 0;
  }

  start(load: Load): void {
    this.#latenciesMs = [];
    this.#last = null;
    this.#startedAt = performance.now();
    this.#child.send({ type: 'start', ...load } satisfies ToGenerator);
  }

  /** Raises how many events may have been sent in all. */
  allow(total: number): void {
    this.#child.send({ type: 'allow', total } satisfies ToGenerator);
  }

  /** Waits for the last answers. Throws when the generator failed. */
  async stop(): Promise<LoadResult> {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const answered = this.answered;
    this.#child.send({ type: 'stop' } satisfies ToGenerator);
    while (this.#last?.type !== 'done') {
      if (this.#child.exitCode !== null) throw new Error('The load generator ended');
      await once(this.#child, 'message');
    }
    return {
      answered: this.answered,
      refused: this.#last.refused,
      seconds,
      perSecond: answered / seconds,
      bytesPerRequest: this.#last.bytesPerEvent,
      latencyMs: { p50: percentile(this.#latenciesMs, 0.5), p95: percentile(this.#latenciesMs, 0.95) },
    };
  }

  close(): void {
    this.#child.disconnect();
  }
}

/** By nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
