import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextRuns, openRunTimes, problemOfSchedule, runOf } from './run-times.ts';

const crontab = (value: string, zone = 'UTC') => openRunTimes({ type: 'crontab', value }, zone);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));
const runs = (value: string, zone: string, from: string, count: number) =>
  nextRuns(crontab(value, zone), Date.parse(from), count).map(iso);

describe('a crontab', () => {
  test('runs after the moment, never at it', () => {
    expect(runs('*/5 * * * *', 'UTC', '2026-03-10T12:00:00Z', 2)).toEqual([
      '2026-03-10T12:05',
      '2026-03-10T12:10',
    ]);
    expect(iso(crontab('@hourly').next(Date.parse('2026-03-10T12:00:00.001Z')))).toBe('2026-03-10T13:00');
  });

  test('knows the run at a moment or before it', () => {
    const { latest } = crontab('*/5 * * * *');
    const at = Date.parse('2026-03-10T12:05:00Z');
    expect([at - 1, at, at + 1, at + 59_000].map(latest).map(iso)).toEqual([
      '2026-03-10T12:00',
      '2026-03-10T12:05',
      '2026-03-10T12:05',
      '2026-03-10T12:05',
    ]);
  });

  // Vienna: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00.
  test('at a time that the spring leaves out runs once, when the clocks have changed', () => {
    expect(runs('30 2 * * *', 'Europe/Vienna', '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  test('at a time that the autumn repeats runs once', () => {
    expect(runs('30 2 * * *', 'Europe/Vienna', '2026-10-24T00:00:00Z', 3)).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  test('that runs all the time goes on through both changes', () => {
    expect(runs('*/30 * * * *', 'Europe/Vienna', '2026-03-29T00:15:00Z', 3)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ]);
    expect(runs('0 * * * *', 'Europe/Vienna', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
  });

  test.each([
    ['* * * *', /five fields/],
    ['* * * * * *', /five fields/],
    ['@reboot', /not supported/],
    ['61 * * * *', /minute/],
    ['0 0 31 2 *', /never runs/],
    ['', /five fields/],
  ])('%j is refused, with words', (value, words) => {
    expect(problemOfSchedule({ type: 'crontab', value }, 'UTC')).toMatch(words);
  });

  test('in a zone that nobody knows is refused', () => {
    expect(problemOfSchedule({ type: 'crontab', value: '* * * * *' }, 'Mars/Olympus')).toMatch(/time zone/);
    expect(problemOfSchedule({ type: 'crontab', value: '* * * * *' }, '+02:00')).toMatch(/time zone/);
  });

  test('whatever is sent, it runs later or is refused', () => {
    const field = fc.oneof(
      fc.constantFrom('*', '*/7', '0', '5-9', '1,2', 'L', 'MON', '?', '99'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(field, { minLength: 5, maxLength: 5 }), (fields) => {
        const schedule = { type: 'crontab', value: fields.join(' ') } as const;
        if (problemOfSchedule(schedule, 'Europe/Vienna') !== null) return;
        const at = Date.parse('2026-03-28T11:11:11Z');
        expect(openRunTimes(schedule, 'Europe/Vienna').next(at)).toBeGreaterThan(at);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an interval', () => {
  const every = (value: number, unit: 'minute' | 'day' | 'month' | 'year', from: string, zone = 'UTC') =>
    iso(openRunTimes({ type: 'interval', value, unit }, zone).next(Date.parse(from)));

  test('of days keeps the time of day through changes of the clocks', () => {
    expect(every(1, 'day', '2026-03-28T11:00:00Z', 'Europe/Vienna')).toBe('2026-03-29T10:00');
    expect(every(1, 'day', '2026-10-24T10:00:00Z', 'Europe/Vienna')).toBe('2026-10-25T11:00');
    // 02:30 does not exist on the 29th.
    expect(every(1, 'day', '2026-03-28T01:30:00Z', 'Europe/Vienna')).toBe('2026-03-29T01:30');
  });

  test('of months ends with the month', () => {
    expect(every(1, 'month', '2026-01-31T12:00:00Z')).toBe('2026-02-28T12:00');
    expect(every(1, 'year', '2028-02-29T12:00:00Z')).toBe('2029-02-28T12:00');
    expect(every(90, 'minute', '2026-01-31T23:00:00Z')).toBe('2026-02-01T00:30');
  });

  test('of nothing, or of centuries, is refused', () => {
    for (const value of [0, -1, 1.5, 20]) {
      expect(problemOfSchedule({ type: 'interval', value, unit: 'year' }, 'UTC')).toMatch(/whole number/);
    }
  });
});

test.each([
  ['0 3 * * *', '03:00:00', '03:00'],
  ['0 3 * * *', '02:59:38', '03:00'],
  ['0 3 * * *', '02:59:20', '03:00 the day before'],
  ['0 3 * * *', '03:10:00', '03:00'],
  // A quarter of what lies between two runs, at most.
  ['* * * * *', '03:00:44', '03:00'],
  ['* * * * *', '03:00:46', '03:01'],
])('a run of %s at %s is that of %s', (value, startedAt, expected) => {
  const times = openRunTimes({ type: 'crontab', value }, 'UTC');
  const run = iso(runOf(times, Date.parse(`2026-03-10T${startedAt}Z`)));
  expect(run).toBe(`2026-03-${expected.endsWith('before') ? '09' : '10'}T${expected.slice(0, 5)}`);
});

test('what an interval expects depends on the run before', () => {
  const times = openRunTimes({ type: 'interval', value: 1, unit: 'day' }, 'UTC');
  expect(runOf(times, Date.parse('2026-03-10T03:00:00Z'))).toBeNull();
});
