import { expect, test } from 'vitest';
import { microsecondsOf, microsecondsOfNanos } from './time.ts';
import { parseSpanId, parseTraceId } from './trace-ids.ts';

test.each([
  [1_790_000_000.123456, 1_790_000_000_123_456],
  ['2026-09-21T14:13:20.5Z', 1_790_000_000_500_000],
  ['soon', null],
  [null, null],
])('%j as microseconds is %j', (sent, expected) => {
  expect(microsecondsOf(sent)).toBe(expected);
});

test.each([
  ['1544712660300000123', 1_544_712_660_300_000],
  [1_544_712_660_300_000_000, 1_544_712_660_300_000],
  ['0', null],
  [0, null],
  ['-5', null],
  ['253402300799000000000', null],
  ['25340230079900000000', 25_340_230_079_900_000],
  ['999999999999999999999', null],
  ['1e9', null],
  [Number.POSITIVE_INFINITY, null],
  [{}, null],
])('%j nanoseconds are %j microseconds', (sent, expected) => {
  expect(microsecondsOfNanos(sent)).toBe(expected);
});

test('ids are read in any case, and never nil', () => {
  expect(parseTraceId('4C79F60C-1121-4EB3-8604-F4AE0781BFB2')).toBe('4c79f60c11214eb38604f4ae0781bfb2');
  expect(parseTraceId('0'.repeat(32))).toBeNull();
  expect(parseSpanId(' FA90FDEAD5F74052 ')).toBe('fa90fdead5f74052');
  for (const sent of [
    '0'.repeat(16),
    'fa90fdead5f7405',
    'fa90fdead5f74052aa',
    5,
    null,
    ['fa90fdead5f74052'],
  ]) {
    expect(parseSpanId(sent)).toBeNull();
  }
});
