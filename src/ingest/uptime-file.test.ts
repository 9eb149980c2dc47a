import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUptime, UptimeFile } from './uptime-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-uptime-'));
  path = join(folder, 'uptime.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what was before the first beat is a gap, and so is a restart, however short', () => {
  const first = new UptimeFile(path);
  first.beat(10_000);
  first.beat(10_500);
  expect(readUptime(path)).toEqual({ at: 10_500, gaps: [{ fromMs: 0, toMs: 10_000 }] });
  new UptimeFile(path).beat(10_900);
  expect(readUptime(path)?.gaps.at(-1)).toEqual({ fromMs: 10_500, toMs: 10_900 });
});

test('a process that stood still leaves a gap, and a clock that is put back leaves none', () => {
  const file = new UptimeFile(path);
  file.beat(10_000);
  file.beat(3_610_000);
  file.beat(12_000);
  file.beat(12_500);
  expect(readUptime(path)).toEqual({
    at: 12_500,
    gaps: [
      { fromMs: 0, toMs: 10_000 },
      { fromMs: 10_000, toMs: 3_610_000 },
    ],
  });
});

test('the file keeps its size with more gaps than it remembers, and a torn one is as none', () => {
  for (let at = 1; at <= 200; at++) new UptimeFile(path).beat(1_790_000_000_000 + at * 10_000);
  expect(statSync(path).size).toBe(4_096);
  expect(readUptime(path)?.gaps.length).toBe(50);
  writeFileSync(path, '{"at":17');
  expect(readUptime(path)).toBeNull();
});
