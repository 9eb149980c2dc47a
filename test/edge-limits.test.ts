import { afterEach, expect, test } from 'vitest';
import type { Quota } from '#protocol/rate-limits.ts';
import { EDGE_PROJECT, type OpenEdge, openEdge, send } from './harness/open-edge.ts';

const DAY_SECONDS = 86_400;
const ROUTE = `/api/${EDGE_PROJECT}/envelope/`;
const quota = (change: Partial<Quota>): Quota => ({
  id: `${change.categories?.join() ?? ''}:${change.windowSeconds ?? DAY_SECONDS}`,
  scope: 'key',
  ownerId: 3,
  categories: [],
  limit: 1,
  windowSeconds: DAY_SECONDS,
  reasonCode: 'key_quota',
  ...change,
});

let edge: OpenEdge;
afterEach(() => edge.close());

const envelope = (...items: [header: object, payload: unknown][]): string =>
  ['{}', ...items.flatMap((item) => item.map((each) => JSON.stringify(each)))].join('\n');
const EVENT: [object, unknown] = [{ type: 'event' }, { message: 'x' }];
const logs = (count: number): [object, unknown] => [
  { type: 'log', item_count: count, content_type: 'application/vnd.sentry.items.log+json' },
  { items: [] },
];
const kept = () => edge.records.flatMap(({ items }) => items.map(({ type }) => type));
const outcomes = () => edge.records.flatMap((record) => record.outcomes);

test('of many that arrive at once, exactly as many are let in as the limit says', async () => {
  edge = await openEdge({ quotas: [quota({ limit: 37, categories: ['error'] })] });
  const answers = await Promise.all(Array.from({ length: 120 }, () => send(edge, ROUTE, envelope(EVENT))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(37);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(83);
  expect(kept()).toHaveLength(37);
  expect(outcomes().reduce((sum, { quantity }) => sum + quantity, 0)).toBe(83);
  expect(
    new Set(outcomes().map(({ category, outcome, reason }) => `${category} ${outcome} ${reason}`)),
  ).toEqual(new Set(['error rate_limited key_quota']));
});

test.each(['full', 'late'] as const)('what a spool that is %s refused uses up no limit', async (how) => {
  edge = await openEdge({ quotas: [quota({ limit: 1, categories: ['error'] })] });
  edge.breakSpool(how);
  for (let time = 0; time < 3; time++) expect((await send(edge, ROUTE, envelope(EVENT))).status).toBe(503);
  edge.mendSpool();
  expect((await send(edge, ROUTE, envelope(EVENT))).status).toBe(200);
  expect((await send(edge, ROUTE, envelope(EVENT))).status).toBe(429);
});

test('an answer of 200 names the limits of other kinds that are used up', async () => {
  edge = await openEdge({ quotas: [quota({ limit: 10, categories: ['log_item'], scope: 'project' })] });
  const before = await send(edge, ROUTE, envelope(EVENT));
  expect(before.headers.get('x-sentry-rate-limits')).toBeNull();
  expect((await send(edge, ROUTE, envelope(logs(10)))).status).toBe(200);
  const after = await send(edge, ROUTE, envelope(EVENT));
  expect(after.status).toBe(200);
  expect(after.headers.get('retry-after')).toBeNull();
  const [seconds, ...rest] = (after.headers.get('x-sentry-rate-limits') ?? '').split(':');
  expect(rest).toEqual(['log_item', 'project', 'key_quota']);
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThanOrEqual(DAY_SECONDS);
});

test('who sends waits for what was refused, and hears of everything that is used up', async () => {
  edge = await openEdge({
    quotas: [
      quota({ limit: 5, categories: ['log_item'] }),
      quota({ limit: 0, categories: ['error'], windowSeconds: 60 }),
    ],
  });
  await send(edge, ROUTE, envelope(logs(5)));
  const answer = await send(edge, ROUTE, envelope(EVENT));
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(answer.headers.get('x-sentry-rate-limits')).toMatch(
    /^60:error:key:key_quota, \d+:log_item:key:key_quota$/,
  );
  expect(answer.headers.get('access-control-expose-headers')).toContain('x-sentry-rate-limits');
});

test('a container counts its elements, and is refused whole', async () => {
  edge = await openEdge({ quotas: [quota({ limit: 10, categories: ['log_item'] })] });
  const statuses = [];
  for (const count of [7, 4, 3]) statuses.push((await send(edge, ROUTE, envelope(logs(count)))).status);
  expect(statuses).toEqual([200, 429, 200]);
  expect(outcomes()).toEqual([
    { category: 'log_item', outcome: 'rate_limited', reason: 'key_quota', quantity: 4 },
  ]);
});

test('a client report is read while everything is limited', async () => {
  edge = await openEdge({ quotas: [quota({ limit: 0 })] });
  const report = { discarded_events: [{ reason: 'ratelimit_backoff', category: 'error', quantity: 4 }] };
  const answer = await send(edge, ROUTE, envelope([{ type: 'client_report' }, report], EVENT));
  expect(answer.status).toBe(429);
  expect(outcomes().map(({ outcome, quantity }) => [outcome, quantity])).toEqual([
    ['client_discard', 4],
    ['rate_limited', 1],
  ]);
  const alone = await send(edge, ROUTE, envelope([{ type: 'client_report' }, report]));
  expect(alone.status).toBe(200);
  expect(alone.headers.get('x-sentry-rate-limits')).toBe('60::key:key_quota');
});

test('the payload of what is refused is never held', async () => {
  edge = await openEdge({ quotas: [quota({ limit: 0 })], memoryBytesMax: 200_000 });
  const large = [{ type: 'event' }, { message: 'x'.repeat(900_000) }] as [object, unknown];
  expect((await send(edge, ROUTE, envelope(large))).status).toBe(429);
  expect(kept()).toEqual([]);
});
