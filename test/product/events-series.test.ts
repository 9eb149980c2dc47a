import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene } from './events-scene.ts';

type Point = [number, [{ count: number }]];
type Stats = { data: Point[]; order?: number; meta: { fields: object; units: object } };
type Series = {
  timeSeries: {
    yAxis: string;
    groupBy?: { key: string; value: unknown }[];
    values: { timestamp: number; value: number | null }[];
    meta: {
      valueType: string;
      valueUnit: string | null;
      interval: number;
      order?: number;
      isOther?: boolean;
    };
  }[];
};

let scene: ApiScene;
beforeAll(async () => {
  scene = await openEventsScene();
});
afterAll(async () => {
  await scene?.close();
});

const RANGE = `start=${new Date(NOON_MS).toISOString()}&end=${new Date(NOON_MS + 10 * MINUTE_MS).toISOString()}`;
const ask = async <Answer>(path: string, query: string): Promise<Answer> => {
  const [status, answer] = await scene.answer<Answer>('GET', `organizations/[org]/${path}`, {
    query: `${RANGE}&${query}`,
  });
  expect([status, status === 200 ? '' : answer]).toEqual([200, '']);
  return answer;
};
const stats = <Answer>(query: string) => ask<Answer>('events-stats', query);
const counts = ({ data }: Stats) => data.map(([, [{ count }]]) => count);

test('one function of spans, in buckets of at least a minute', async () => {
  const answer = await stats<Stats>('dataset=spans&yAxis=p95(span.duration)&interval=30s&query=project:web');
  expect(answer.data[0]?.[0]).toBe(NOON_MS / 1_000);
  expect(counts(answer)).toEqual([10, 20, 30, 40, 0, 0, 0, 0, 0, 0]);
  expect(answer.meta).toEqual({
    fields: { 'p95(span.duration)': 'duration' },
    units: { 'p95(span.duration)': 'millisecond' },
  });
});

test('several functions, each under its name', async () => {
  const answer = await stats<Record<string, Stats>>(
    'dataset=transactions&yAxis=count()&yAxis=epm()&interval=5m',
  );
  expect(Object.entries(answer).map(([name, each]) => [name, each.order, counts(each)])).toEqual([
    ['count()', 0, [4, 0]],
    ['epm()', 1, [0.8, 0]],
  ]);
});

test('the largest groups, and what they leave', async () => {
  const asked =
    'dataset=spans&yAxis=count()&field=span.op&field=project&field=count()&interval=10m&sort=-count()';
  const named = async (query: string) =>
    Object.entries(await stats<Record<string, Stats>>(`${asked}&${query}`)).map(([name, each]) => [
      name,
      each.order,
      counts(each),
    ]);
  expect(await named('topEvents=2&excludeOther=1')).toEqual([
    ['http.server,web', 0, [3]],
    ['db,api', 1, [2]],
  ]);
  expect(await named('topEvents=2')).toEqual([
    ['http.server,web', 0, [3]],
    ['db,api', 1, [2]],
    ['Other', 2, [1]],
  ]);
  expect(await named('topEvents=10')).toHaveLength(3);
});

test('groups with several functions', async () => {
  const answer = await stats<Record<string, Record<string, Stats> & { order: number }>>(
    'yAxis=count()&yAxis=count_unique(user)&field=release&topEvents=5&interval=10m&excludeOther=1&sort=-release',
  );
  expect(Object.entries(answer).map(([name, each]) => [name, each.order, counts(each['count()']!)])).toEqual([
    ['web@2', 0, [2]],
    ['web@1', 1, [1]],
  ]);
});

test('as series, as the data source of Grafana asks for them', async () => {
  const { timeSeries } = await ask<Series>(
    'events-timeseries',
    'dataset=spans&interval=300&excludeOther=0&groupBy=span.op&topEvents=1&sort=-count()&yAxis=count()',
  );
  expect(
    timeSeries.map(({ yAxis, groupBy, values, meta }) => [
      yAxis,
      groupBy,
      values.map(({ value }) => value),
      meta,
    ]),
  ).toEqual([
    [
      'count()',
      [{ key: 'span.op', value: 'db' }],
      [2, 1],
      { valueType: 'integer', valueUnit: null, interval: 300_000, order: 0, isOther: false },
    ],
    [
      'count()',
      undefined,
      [3, 0],
      { valueType: 'integer', valueUnit: null, interval: 300_000, order: 1, isOther: true },
    ],
  ]);
  const metrics = await ask<Series>(
    'events-timeseries',
    'dataset=tracemetrics&yAxis=avg(value,checkout.time,distribution)&interval=10m',
  );
  expect(metrics.timeSeries[0]).toMatchObject({ values: [{ timestamp: NOON_MS, value: 6 }] });
});

test('more buckets than a chart may have become larger ones', async () => {
  const query = `start=${new Date(NOON_MS - 48 * HOUR_MS).toISOString()}&end=${new Date(NOON_MS).toISOString()}&interval=1m`;
  const [, { data }] = await scene.answer<Stats>('GET', 'organizations/[org]/events-stats', { query });
  expect(data).toHaveLength(48);
});

test.each([
  'yAxis=p95()',
  'dataset=nothing',
  'topEvents=some&field=release',
  'yAxis=release',
  'comparisonDelta=1',
])('refuses %s', async (query) => {
  expect((await scene.answer('GET', 'organizations/[org]/events-stats', { query }))[0]).toBe(400);
});
