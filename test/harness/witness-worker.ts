// The thread behind witness.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Dsn, eventEnvelope, postEnvelope } from './envelope.ts';
import { readPssBytes } from './processes.ts';
import { makeJavascriptError } from './sample-event.ts';
import type { Testimony } from './witness.ts';

const PAUSE_MS = 50;
const MEASURE_EVERY_MS = 100;

const { dsn, edgePid } = workerData as { dsn: Dsn; edgePid: number };
const firstBytes = readPssBytes(edgePid);
const testimony: Testimony = {
  answered: [],
  refused: [],
  slowestMs: 0,
  firstBytes,
  peakBytes: firstBytes,
};
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
setInterval(() => {
  testimony.peakBytes = Math.max(testimony.peakBytes, readPssBytes(edgePid));
}, MEASURE_EVERY_MS).unref();
parentPort?.postMessage('started');

while (!isOver) {
  const event = makeJavascriptError({ issue: testimony.answered.length % 3, bytes: 2_000 });
  const startedAt = performance.now();
  try {
    const { status, body } = await postEnvelope(dsn, eventEnvelope(event));
    if (status === 200) testimony.answered.push(event.event_id);
    else testimony.refused.push(`${status} ${JSON.stringify(body)}`);
  } catch (error) {
    testimony.refused.push(`${String(error)} ${String((error as Error).cause ?? '')}`);
  }
  testimony.slowestMs = Math.max(testimony.slowestMs, performance.now() - startedAt);
  await sleep(PAUSE_MS);
}
parentPort?.postMessage(testimony);
