import { describe, expect, test } from 'vitest';
import { findEscalation, thresholdsOf } from './archive-conditions.ts';
import type { Archive } from './issue.ts';

const archive = (overrides: Partial<Archive> = {}): Archive => ({
  condition: { kind: 'events', count: 10, windowMinutes: null },
  archivedAt: 0,
  timesSeen: 5,
  userId: null,
  ...overrides,
});

describe('findEscalation', () => {
  test('with the event that makes the count, and not before', () => {
    const archived = { archive: archive(), escalatesAtTimesSeen: 15, escalatesBeforeMs: null };
    expect(findEscalation(archived, 14, 0)).toBeNull();
    expect(findEscalation(archived, 15, 0)).toEqual({ kind: 'events', count: 10, windowMinutes: null });
  });

  test('a forecast holds for its hour, and names the events beside it', () => {
    const archived = {
      archive: archive({ condition: { kind: 'escalating' }, forecast: 20 }),
      escalatesAtTimesSeen: 100,
      escalatesBeforeMs: 3_600_000,
    };
    expect(findEscalation(archived, 99, 0)).toBeNull();
    expect(findEscalation(archived, 103, 3_599_999)).toEqual({ kind: 'forecast', forecast: 20, events: 24 });
    expect(findEscalation(archived, 103, 3_600_000)).toBeNull();
  });

  test('never without a count', () => {
    const archived = { archive: archive(), escalatesAtTimesSeen: null, escalatesBeforeMs: null };
    expect(findEscalation(archived, 1_000_000, 0)).toBeNull();
  });
});

test.each([
  [
    { kind: 'date', untilMs: 900 },
    { untilMs: 900, escalatesAtTimesSeen: null },
  ],
  [
    { kind: 'events', count: 10, windowMinutes: null },
    { untilMs: null, escalatesAtTimesSeen: 15 },
  ],
  [
    { kind: 'events', count: 10, windowMinutes: 60 },
    { untilMs: null, escalatesAtTimesSeen: null },
  ],
  [{ kind: 'forever' }, { untilMs: null, escalatesAtTimesSeen: null }],
] as const)('the thresholds of %o are %o', (condition, thresholds) => {
  expect(thresholdsOf(archive({ condition }))).toEqual(thresholds);
});
