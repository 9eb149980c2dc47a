import { expect, test } from 'vitest';
import { nextCursor, waitMs } from './answer-headers.ts';

const link = (results: boolean) =>
  '<https://sentry.io/api/0/x/?&cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", ' +
  `<https://sentry.io/api/0/x/?&cursor=0:100:0>; rel="next"; results="${results}"; cursor="0:100:0"`;

test('the next page is the one that has results', () => {
  expect([nextCursor(link(true)), nextCursor(link(false)), nextCursor(undefined), nextCursor('x')]).toEqual([
    '0:100:0',
    null,
    null,
    null,
  ]);
});

test.each([
  [{}, 0],
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT' }, 4_000],
  [{ 'retry-after': 'soon' }, 0],
  [{ 'x-sentry-rate-limit-remaining': '0', 'x-sentry-rate-limit-reset': '11' }, 10_000],
  [{ 'x-sentry-rate-limit-remaining': '1', 'x-sentry-rate-limit-reset': '11' }, 0],
  [{ 'x-sentry-rate-limit-remaining': '0', 'x-sentry-rate-limit-reset': '0' }, 0],
])('%j asks to wait for %i ms', (headers: Record<string, string>, ms) => {
  expect(waitMs(headers, 1_000)).toBe(ms);
});
