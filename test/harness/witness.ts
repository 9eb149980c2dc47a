import { Worker } from 'node:worker_threads';
import type { Dsn } from './envelope.ts';

/** What an ordinary sender, and the memory of the edge, saw while something else went on. */
export type Testimony = {
  /** Ids of the events that were answered 200. */
  answered: string[];
  /** Everything else that came, or did not. */
  refused: string[];
  slowestMs: number;
  /** Proportional set size of the edge. */
  firstBytes: number;
  peakBytes: number;
};

/** Sends an ordinary event now and then from a thread of its own, so that nothing here delays it. */
export async function startWitness(dsn: Dsn, edgePid: number): Promise<{ stop(): Promise<Testimony> }> {
  const worker = new Worker(new URL('./witness-worker.ts', import.meta.url), {
    workerData: { dsn, edgePid },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  await nextMessage(worker);
  return {
    async stop() {
      const told = nextMessage(worker);
      worker.postMessage('stop');
      const testimony = (await told) as Testimony;
      await worker.terminate();
      return testimony;
    },
  };
}

const nextMessage = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
