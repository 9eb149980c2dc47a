import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { readMoments } from './read-numbers.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { ISSUE_KEYS } from './syntax/search-keys.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12);

function read(value: string) {
  const [token] = parseSearch(`firstSeen:${value}`, ISSUE_KEYS);
  if (token?.kind !== 'filter') throw new Error(`No filter: ${value}`);
  return readMoments(token, NOW_MS).map(
    ({ comparison, atMs }) => `${comparison} ${new Date(atMs).toISOString()}`,
  );
}

test.each([
  ['-24h', ['>= 2026-02-28T12:00:00.000Z']],
  ['+1w', ['<= 2026-02-22T12:00:00.000Z']],
  ['-9999999999w', ['>= 1970-01-01T00:00:00.000Z']],
  ['2026-01-31', ['>= 2026-01-31T00:00:00.000Z', '< 2026-02-01T00:00:00.000Z']],
  ['2026-01-31T10:00:00', ['>= 2026-01-31T09:55:00.000Z', '< 2026-01-31T10:05:00.000Z']],
  ['>2026-01-31T10:00:00.123456+02:00', ['> 2026-01-31T08:00:00.123Z']],
  ['<=2026-01-31Z', ['<= 2026-01-31T00:00:00.000Z']],
])('%s', (value, expected) => {
  expect(read(value)).toEqual(expected);
});

test.each(['2026-02-30', '>2026-13-01', '2026-01-31T25:00:00', '!=2026-01-31', 'soon'])(
  '%s is no time',
  (value) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ code: 'invalid' }));
  },
);

test('relative times count back from now', () => {
  expect(read('-1h')).toEqual([`>= ${new Date(NOW_MS - HOUR_MS).toISOString()}`]);
});
