import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { yieldProcessor } from './yield-processor.ts';

test.runIf(existsSync('/proc/self/task'))('every thread of a process yields', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const threads = readdirSync(`/proc/${child.pid}/task`).map(Number);
  expect(threads.length).toBeGreaterThan(1);
  yieldProcessor(child.pid ?? 0, 19);
  expect(threads.map((thread) => getPriority(thread))).toEqual(threads.map(() => 19));
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a process that is gone is no error', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(() => yieldProcessor(child.pid ?? 0, 19)).not.toThrow();
});
