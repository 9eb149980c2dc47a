import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { AttemptFile } from './attempt-file.ts';
import { SavedTime, waitForDigest } from './digest-symbols.ts';

test('what is spent comes back as time passes, up to all that can be saved', () => {
  const saved = new SavedTime({ savedMs: 1_000, share: 0.5 });
  expect(saved.left(1, 0)).toBe(1_000);
  saved.spend(1, 1_200, 0);
  expect(saved.left(1, 0)).toBe(-200);
  expect(saved.left(1, 800)).toBe(200);
  saved.spend(1, 100, 800);
  expect(saved.left(1, 1_000)).toBe(200);
  expect(saved.left(1, 100_000)).toBe(1_000);
  expect(saved.left(2, 0)).toBe(1_000);
});

test('owners are remembered up to a number, those that spend last', () => {
  const saved = new SavedTime({ savedMs: 1_000, share: 0.5 });
  for (let owner = 1; owner <= 10_000; owner++) saved.spend(owner, 1_000, 0);
  saved.spend(1, 500, 0);
  saved.spend(10_001, 1_000, 0);
  expect([1, 2, 3, 10_001].map((owner) => saved.left(owner, 0))).toEqual([-500, 1_000, 0, 0]);
});

const LONG_MS = 60_000;
const newPath = () => {
  const folder = mkdtempSync(join(tmpdir(), 'errata-attempt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'attempt.json');
};

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
