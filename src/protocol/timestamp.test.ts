import { expect, test } from 'vitest';
import { parseTimestamp } from './timestamp.ts';

const SECONDS = Date.UTC(2025, 2, 6, 10, 19, 51) / 1000;

test.each([
  ['2025-03-06T10:19:51Z', SECONDS],
  ['2025-03-06T10:19:51', SECONDS],
  ['2025-03-06 10:19:51+00:00', SECONDS],
  ['2025-03-06T12:19:51+02:00', SECONDS],
  ['2025-03-06T05:49:51-0430', SECONDS],
  ['2025-03-06T10:19:51.132514327Z', SECONDS + 0.132514],
  ['2025-03-06', Date.UTC(2025, 2, 6) / 1000],
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59) / 1000],
  [SECONDS, SECONDS],
  [1741256391.5, 1741256391.5],
  ['1741256391.25', 1741256391.25],
  [1741256391500, 1741256391.5],
])('%s is %d seconds since the epoch', (sent, seconds) => {
  expect(parseTimestamp(sent)).toBe(seconds);
});

test.each([
  ['2025-02-30T00:00:00Z'],
  ['2025-01-01T25:00:00Z'],
  ['1969-12-31T23:59:59Z'],
  ['yesterday'],
  [''],
  [-1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [9e99],
  [null],
  [{}],
])('%s is no timestamp', (sent) => {
  expect(parseTimestamp(sent)).toBeNull();
});
