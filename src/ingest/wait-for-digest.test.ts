import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AttemptFile } from './attempt-file.ts';
import { waitForDigest } from './wait-for-digest.ts';

const LONG_MS = 60_000;
const newPath = () => join(mkdtempSync(join(tmpdir(), 'errata-attempt-')), 'attempt.json');

test('nothing is under way: nobody waits', async () => {
  const path = newPath();
  await waitForDigest(path, LONG_MS);
  const attempts = new AttemptFile(path);
  attempts.begin(0, 7);
  attempts.end(7);
  await waitForDigest(path, LONG_MS);
});

test('a stretch that was begun has to end, and the one that was understood ahead as well', async () => {
  const path = newPath();
  const attempts = new AttemptFile(path);
  attempts.begin(0, 7);
  attempts.begin(0, 12);
  let isDone = false;
  const done = waitForDigest(path, LONG_MS).then(() => {
    isDone = true;
  });
  await delay(500);
  attempts.end(7);
  attempts.begin(7, 12);
  await delay(300);
  expect(isDone).toBe(false);
  attempts.end(12);
  // What comes then is understood with what is there by now.
  attempts.begin(12, 20);
  await done;
});

test('one that does not end is waited for so long, and not when the process has to stop', async () => {
  const path = newPath();
  new AttemptFile(path).begin(0, 7);
  await waitForDigest(path, 400);
  await waitForDigest(path, LONG_MS, AbortSignal.timeout(400));
});
