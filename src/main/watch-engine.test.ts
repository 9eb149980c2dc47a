import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { watchEngine } from './watch-engine.ts';

const TIMES = { askEveryMs: 1, refusedMsMax: 30, silentMsMax: 300 };
const log = createLog('test', 'silent');

function makeEngine(answer: () => Promise<void>) {
  let end: () => void = () => {};
  const exited = new Promise<void>((resolve) => {
    end = resolve;
  });
  const engine = {
    killed: 0,
    end,
    exited,
    ask: answer,
    kill() {
      engine.killed += 1;
    },
  };
  return engine;
}
const refused = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
const silent = () => Promise.reject(new Error('timeout'));

test('an engine that no longer listens is told and killed', async () => {
  let answer = () => Promise.resolve();
  const engine = makeEngine(() => answer());
  const check = watchEngine('clickhouse', engine, log, TIMES);
  await delay(20);
  expect(check()).toEqual({ ok: true, detail: 'answers' });
  answer = refused;
  await expect.poll(check).toMatchObject({ ok: false, detail: expect.stringContaining('does not listen') });
  await expect.poll(() => engine.killed).toBe(1);
});

test('one that is silent for a moment is told and left alone', async () => {
  let answer: () => Promise<void> = silent;
  const engine = makeEngine(() => answer());
  const check = watchEngine('clickhouse', engine, log, TIMES);
  await expect.poll(check).toMatchObject({ ok: false, detail: expect.stringContaining('is silent') });
  answer = () => Promise.resolve();
  await expect.poll(check).toMatchObject({ ok: true });
  expect(engine.killed).toBe(0);
});

test('one that is silent for too long is killed', async () => {
  const engine = makeEngine(silent);
  watchEngine('clickhouse', engine, log, TIMES);
  await expect.poll(() => engine.killed).toBe(1);
});

test('one that ended is told until its successor is there', async () => {
  const engine = makeEngine(() => Promise.resolve());
  const check = watchEngine('clickhouse', engine, log, TIMES);
  engine.end();
  await expect.poll(check).toMatchObject({ ok: false, detail: expect.stringContaining('started again') });
});
