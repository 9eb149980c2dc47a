import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { parseConfig } from '#config.ts';
import {
  chooseMemoryProfile,
  memoryProfile,
  parseMemoryProfile,
  readMachineBytes,
} from './memory-profile.ts';

const GIB = 1024 ** 3;

test.each([
  [0.5 * GIB, 'small'],
  [GIB, 'small'],
  [1.4 * GIB, 'small'],
  // What a machine that is sold with 2 GB reports.
  [1.9 * GIB, 'standard'],
  [64 * GIB, 'standard'],
])('a machine of %d bytes has the profile %s', (bytes, name) => {
  expect(chooseMemoryProfile(bytes)).toBe(name);
});

test('the limit of a container counts, unless it is none', () => {
  expect(readMachineBytes(GIB)).toBe(Math.min(GIB, totalmem()));
  expect(readMachineBytes(0)).toBe(totalmem());
  expect(readMachineBytes(2 ** 60)).toBe(totalmem());
  expect(readMachineBytes(undefined)).toBeLessThanOrEqual(totalmem());
});

test('the profile can be set, and the memory of ClickHouse follows it unless it is set too', () => {
  const small = parseConfig({ ERRATA_MEMORY_PROFILE: 'small' });
  expect(small.memory).toBe(memoryProfile('small'));
  expect(small.clickhouseMemoryBytesMax).toBe(memoryProfile('small').clickhouseBytesMax);
  const set = parseConfig({
    ERRATA_MEMORY_PROFILE: 'small',
    ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: '700000000',
  });
  expect(set.clickhouseMemoryBytesMax).toBe(700_000_000);
  expect(() => parseConfig({ ERRATA_MEMORY_PROFILE: 'tiny' })).toThrow(/small or standard/);
  expect(() => parseMemoryProfile('')).toThrow();
});

test('everything together fits into a machine of 1 GB', () => {
  const { clickhouseBytesMax, heaps, inFlightBytesMax } = memoryProfile('small');
  const roles = (['edge', 'digest', 'web', 'jobs'] as const).map((role) => heaps[role].heapMiB);
  // Heaps are upper bounds that no two roles reach at once; the largest of them does beside ClickHouse at its bound.
  expect(clickhouseBytesMax / 1024 ** 2 + Math.max(...roles) + inFlightBytesMax / 1024 ** 2).toBeLessThan(
    700,
  );
});
