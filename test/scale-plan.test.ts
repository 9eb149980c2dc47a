import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tabulateScalePlan } from './bench/print-scale-plan.ts';
import { ASSUMED, MEASURED, planScale, simulateDay } from './bench/scale-plan.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../docs/scale.md'), 'utf8');
const withoutPadding = (line: string) =>
  line
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/ +\|/g, ' |')
    .replaceAll(/\| +/g, '| ')
    .replace(/^\| \|/, '|  |');

test('docs/scale.md has the table that the plan works out', () => {
  const lines = new Set(guide.split('\n').map(withoutPadding));
  expect(tabulateScalePlan().filter((line) => !lines.has(withoutPadding(line)))).toEqual([]);
});

test('it names the costs that it starts from', () => {
  for (const cost of [
    MEASURED.edge,
    MEASURED.digest,
    MEASURED.clickhouse,
    MEASURED.postgres,
    MEASURED.brokers,
  ])
    expect(guide).toContain(`(${cost})`);
});

test('what digests store at the peak is never late; less of them are late by what the burst leaves', () => {
  const mean = 1_000;
  expect(simulateDay(mean, mean * ASSUMED.burst)).toBe(0);
  const stored = mean * ASSUMED.dailyPeak;
  const left = (mean * ASSUMED.burst - stored) * ASSUMED.burstMinutes;
  expect(simulateDay(mean, stored)).toBeCloseTo(left / stored, 6);
  expect(simulateDay(mean, mean)).toBeGreaterThan(simulateDay(mean, stored));
});

test('ten times the events take ten times the disk, and never fewer machines', () => {
  const [small, large] = [planScale(1e9), planScale(1e10)];
  expect(large.storedTerabytes / small.storedTerabytes).toBeCloseTo(10, 6);
  for (const part of ['edges', 'brokers', 'digests', 'shards', 'cores'] as const)
    expect(large[part]).toBeGreaterThanOrEqual(small[part]);
  // Two replicas and a broker for each of three zones, however few events there are.
  expect(planScale(1)).toMatchObject({ edges: 2, brokers: 3, digests: 2, shards: 1 });
});
