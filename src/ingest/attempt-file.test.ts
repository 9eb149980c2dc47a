import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AttemptFile } from './attempt-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-attempts-'));
  path = join(folder, 'attempt.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that comes after the death of the one before. */
const nextProcess = () => new AttemptFile(path);

test('a finished stretch leaves nobody under suspicion', () => {
  const file = nextProcess();
  expect(file.suspectsAfter(0)).toBeNull();
  file.begin(0, 10);
  file.end(10);
  expect(nextProcess().suspectsAfter(10)).toBeNull();
});

test('a stretch that the stores confirm is not suspected, even when the process died right after', () => {
  nextProcess().begin(0, 10);
  expect(nextProcess().suspectsAfter(10)).toBeNull();
});

test('the record that was marked when the process died is counted, over several deaths', () => {
  nextProcess().begin(0, 10);
  for (let death = 0; death <= 2; death++) {
    const file = nextProcess();
    const suspects = file.suspectsAfter(0);
    expect(suspects?.to).toBe(10);
    expect(suspects?.deaths.get(4) ?? 0).toBe(death);
    file.mark(3, 0, 10);
    file.mark(4, 0, 10);
  }
});

test('a death while the stores were at work accuses no record', () => {
  nextProcess().begin(0, 10);
  const file = nextProcess();
  file.suspectsAfter(0);
  file.mark(4, 0, 10);
  file.mark(null, 0, 10);
  expect(nextProcess().suspectsAfter(0)?.deaths.size).toBe(0);
});

test('a torn file accuses nobody', () => {
  writeFileSync(path, '{"from":0,"to"');
  expect(nextProcess().suspectsAfter(0)).toBeNull();
});
