import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { CountedRange, EventStore, IssueEvents } from '#storage/ports/events.ts';
import { reuseCounts } from './reuse-counts.ts';

const NOW = Date.UTC(2026, 10, 29, 12, 20, 7);
const SCOPE = { organizationId: 1, projectIds: [1] };
const LARGE: IssueEvents = { issueId: 7, projectId: 1, hashes: ['a'] };
const SMALL: IssueEvents = { issueId: 8, projectId: 1, hashes: ['b'] };

/** A store whose issues have these events, which says what it was asked. */
function openCounts() {
  const events = new Map([
    ['a', 20_000],
    ['b', 9_999],
  ]);
  const asked: number[][] = [];
  const clock = { ms: NOW };
  const fail = { isOn: false };
  const eventsOf = ({ hashes }: IssueEvents) =>
    hashes.reduce((sum, hash) => sum + (events.get(hash) ?? 0), 0);
  const countActivity: EventStore['countActivity'] = async (_scope, issues) => {
    asked.push(issues.map(({ issueId }) => issueId));
    if (fail.isOn) throw new Error('The store is away');
    return issues.map((issue) => {
      const some = eventsOf(issue);
      return {
        issueId: issue.issueId,
        buckets: [some],
        events: some,
        users: 1,
        firstSeen: 1,
        lastSeen: 2,
      };
    });
  };
  const store = reuseCounts({ countActivity } as EventStore, () => clock.ms);
  const count = async (
    issues: readonly IssueEvents[],
    {
      scope = SCOPE,
      range = lastDays(14),
      bucketMs = HOUR_MS,
    }: { scope?: typeof SCOPE; range?: CountedRange; bucketMs?: number } = {},
  ) => {
    const counted = issues.map((issue) => ({ ...issue, storedEvents: eventsOf(issue) }));
    return (await store.countActivity(scope, counted, range, bucketMs)).map(({ events: some }) => some);
  };
  const lastDays = (days: number): CountedRange => ({
    fromMs: clock.ms - days * DAY_MS,
    toMs: Math.ceil(clock.ms / HOUR_MS) * HOUR_MS,
    bucketsFromMs: Math.floor((clock.ms - days * DAY_MS) / HOUR_MS) * HOUR_MS,
  });
  return { events, asked, clock, fail, store, count, lastDays };
}

test('An issue with many events keeps its counts, one with few is counted at every read', async () => {
  const { events, asked, count } = openCounts();
  expect(await count([LARGE, SMALL])).toEqual([20_000, 9_999]);
  events.set('a', 20_001).set('b', 3);
  expect(await count([SMALL, LARGE])).toEqual([3, 20_000]);
  expect(asked).toEqual([[7, 8], [8]]);
});

test('Once a hundredth came since, counts are made anew beside the read, once', async () => {
  const { events, asked, count } = openCounts();
  await count([LARGE]);
  events.set('a', 20_200);
  expect(await count([LARGE])).toEqual([20_000]);
  events.set('a', 20_201);
  expect(await Promise.all([count([LARGE]), count([LARGE])])).toEqual([[20_000], [20_000]]);
  await expect.poll(async () => await count([LARGE])).toEqual([20_201]);
  expect(asked).toEqual([[7], [7]]);
});

test('No read gets counts that lack more than two hundredths', async () => {
  const { events, count } = openCounts();
  await count([LARGE]);
  events.set('a', 20_401);
  expect(await count([LARGE])).toEqual([20_401]);
});

test('Counts are made anew beside the read after a minute, and before the read after two', async () => {
  const { asked, clock, count } = openCounts();
  await count([LARGE]);
  clock.ms += MINUTE_MS;
  await count([LARGE]);
  expect(asked).toHaveLength(1);
  clock.ms += 1;
  await count([LARGE]);
  await expect.poll(() => asked).toHaveLength(2);
  clock.ms += 2 * MINUTE_MS + 1;
  await count([LARGE]);
  expect(asked).toHaveLength(3);
});

test('Of a short range, counts are reused for as short a share of it', async () => {
  const { asked, clock, count } = openCounts();
  const hour = () => ({
    range: { fromMs: clock.ms - HOUR_MS, toMs: clock.ms },
    bucketMs: HOUR_MS,
  });
  await count([LARGE], hour());
  clock.ms += HOUR_MS * 0.009;
  await count([LARGE], hour());
  expect(asked).toHaveLength(1);
  clock.ms += HOUR_MS * 0.02;
  await count([LARGE], hour());
  expect(asked).toHaveLength(2);
});

test('What was taken from an issue is missing at once, and so is everything while counting fails', async () => {
  const { events, count, fail } = openCounts();
  await count([LARGE]);
  events.set('a', 19_999);
  expect(await count([LARGE])).toEqual([19_999]);
  events.set('a', 20_300);
  fail.isOn = true;
  expect(await count([LARGE])).toEqual([19_999]);
  events.set('a', 20_500);
  await expect(count([LARGE])).rejects.toThrow('away');
});

test('An issue whose own counter nobody read is counted at every read', async () => {
  const { asked, store } = openCounts();
  const range = { fromMs: NOW - DAY_MS, toMs: NOW };
  for (let read = 0; read < 2; read++) await store.countActivity(SCOPE, [LARGE], range, DAY_MS);
  expect(asked).toHaveLength(2);
});

test('An issue that got or lost a hash is counted at once', async () => {
  const { count } = openCounts();
  await count([LARGE]);
  expect(await count([{ ...LARGE, hashes: ['a', 'b'] }])).toEqual([29_999]);
});

test('Other ranges, buckets, and organizations have counts of their own', async () => {
  const { asked, clock, count, lastDays } = openCounts();
  await count([LARGE]);
  await count([LARGE], { range: lastDays(7) });
  await count([LARGE], { range: { ...lastDays(14), toMs: clock.ms - HOUR_MS } });
  await count([LARGE], { bucketMs: HOUR_MS / 2 });
  await count([LARGE], { scope: { organizationId: 2, projectIds: [1] } });
  expect(asked).toHaveLength(5);
});

test('Who may not see the project asks the store, which answers nothing', async () => {
  const { asked, count } = openCounts();
  await count([LARGE]);
  await count([LARGE], { scope: { organizationId: 1, projectIds: [2] } });
  expect(asked).toHaveLength(2);
});

test('A range in the past is never taken for another one, however near', async () => {
  const { asked, clock, count } = openCounts();
  const past = { fromMs: clock.ms - DAY_MS, toMs: clock.ms - HOUR_MS };
  await count([LARGE], { range: past });
  await count([LARGE], { range: { ...past, fromMs: past.fromMs + 1_000 } });
  expect(asked).toHaveLength(2);
});

test('A range of one bucket that lasts until now is the same a second later', async () => {
  const { asked, clock, count } = openCounts();
  const whole = () => ({ range: { fromMs: clock.ms - DAY_MS, toMs: clock.ms }, bucketMs: DAY_MS });
  await count([LARGE], whole());
  clock.ms += 1_000;
  await count([LARGE], whole());
  expect(asked).toHaveLength(1);
});
