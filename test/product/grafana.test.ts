import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene } from './events-scene.ts';

/**
 * What Grafana's data source for Sentry asks, one row for each entry of its menus. Source: pkg/sentry and src/constants.ts of
 * github.com/grafana/sentry-datasource.
 */
let scene: ApiScene;
beforeAll(async () => {
  scene = await openEventsScene();
  const { product, mine, web, api } = scene;
  const session = (project: { id: number }, index: number, how: object) =>
    makeRow('sessions', {
      organizationId: mine.id,
      projectId: project.id,
      startedAt: NOON_MS + index * MINUTE_MS,
      release: 'web@1',
      environment: 'production',
      ...how,
    });
  await product.stores.telemetry.insert(
    {
      sessions: [
        session(web, 0, { distinctIdHash: 'a' }),
        session(web, 1, { distinctIdHash: 'a', exited: 0, crashed: 1, status: 'crashed' }),
        session(web, 7, { distinctIdHash: 'b', release: 'web@2' }),
        session(api, 7, {
          distinctIdHash: 'c',
          environment: 'staging',
          exited: 0,
          abnormal: 1,
          status: 'abnormal',
          abnormalMechanism: 'anr_foreground',
        }),
      ],
    },
    'grafana',
  );
});
afterAll(async () => {
  await scene?.close();
});

/** Go's time without a zone, and with one. */
const plain = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const RANGE = { start: plain(NOON_MS), end: plain(NOON_MS + 10 * MINUTE_MS) };
const ZONED = { start: `${RANGE.start}Z`, end: `${RANGE.end}Z` };

type Values = Readonly<Record<string, string | number | readonly (string | number)[]>>;

async function ask<Answer>(path: string, values: Values, params = {}): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  );
  const [status, answer] = await scene.answer<Answer>('GET', path, { query: String(query), params });
  expect([status, status === 200 ? '' : answer]).toEqual([200, '']);
  return answer;
}

const ORG = 'organizations/[org]';
type Table = { data: Record<string, unknown>[] };
type Line = { yAxis: string; values: { value: number | null }[]; groupBy?: unknown };
type Groups = {
  intervals: string[];
  groups: {
    by: Record<string, unknown>;
    totals: Record<string, number | null>;
    series: Record<string, (number | null)[]>;
  }[];
};

describe('issues', () => {
  test.each(['', 'date', 'new', 'priority', 'freq', 'user', 'trends'])('sorted by "%s"', async (sort) => {
    const issues = await ask<object[]>(`${ORG}/issues`, {
      ...RANGE,
      query: 'is:unresolved',
      ...(sort && { sort }),
      limit: 10_000,
      project: [scene.web.id, scene.api.id],
      environment: ['production', 'staging'],
    });
    expect(issues).toHaveLength(2);
    expect(issues[0]).toMatchObject({ lifetime: { firstSeen: expect.any(String) }, userCount: 0 });
  });
});

describe('events', () => {
  const FIELDS = ['id', 'title', 'project', 'project.id', 'release', 'count()', 'epm()', 'last_seen()'];
  const MORE = ['level', 'event.type', 'platform'];

  test.each(['last_seen()', 'count()', 'epm()', 'failure_rate()', 'level'])('sorted by %s', async (sort) => {
    const field = sort === 'failure_rate()' ? ['transaction', sort] : [...FIELDS, ...MORE];
    for (const direction of ['', '-']) {
      const dataset = sort === 'failure_rate()' ? { dataset: 'transactions' } : { dataset: 'errors' };
      const query = { ...RANGE, ...dataset, query: '', field, sort: `${direction}${sort}`, per_page: 100 };
      const { data } = await ask<Table>(`${ORG}/events`, query);
      expect(data.length).toBeGreaterThan(0);
    }
  });

  test('of one project, as versions before 2 ask', async () => {
    const values = { ...RANGE, query: '', sort: '-timestamp', per_page: 100, environment: 'production' };
    expect(await ask<object[]>('projects/[org]/[project]/events', values)).toHaveLength(2);
  });

  test('of one project by a search', async () => {
    const values = { ...RANGE, query: 'project:web', field: ['title', 'count()'], per_page: 10 };
    expect((await ask<Table>(`${ORG}/events`, values)).data).toMatchObject([{ 'count()': 2 }]);
    const others = { ...values, query: `!project.id:${scene.web.id} OR project:ap*` };
    expect((await ask<Table>(`${ORG}/events`, others)).data).toMatchObject([{ 'count()': 1 }]);
    const wrong = await scene.answer('GET', `${ORG}/events`, { query: 'query=project:nowhere' });
    expect(wrong).toMatchObject([400, { detail: expect.stringMatching(/Supported values: api, web/) }]);
  });

  test('spans', async () => {
    const field = ['id', 'span.op', 'span.duration', 'timestamp', 'transaction'];
    const values = { dataset: 'spans', useRpc: 1, query: 'span.op:db', sort: '-timestamp', per_page: 100 };
    expect((await ask<Table>(`${ORG}/events`, { ...RANGE, ...values, field })).data).toHaveLength(3);
  });
});

describe('numbers over time', () => {
  test('of events, without groups', async () => {
    const values = { ...ZONED, dataset: 'discover', excludeOther: 1, interval: 60, query: '' };
    const { timeSeries } = await ask<{ timeSeries: Line[] }>(`${ORG}/events-timeseries`, {
      ...values,
      yAxis: ['count()', 'count_unique(user)'],
    });
    expect(timeSeries.map(({ yAxis, values: points }) => [yAxis, points.length, points[0]?.value])).toEqual([
      ['count()', 10, 3],
      ['count_unique(user)', 10, 0],
    ]);
  });

  test('of events, in buckets of a second', async () => {
    const values = {
      ...ZONED,
      dataset: 'discover',
      excludeOther: 1,
      interval: 1,
      query: '',
      yAxis: 'count()',
    };
    const { timeSeries } = await ask<{ timeSeries: Line[] }>(`${ORG}/events-timeseries`, values);
    expect(timeSeries[0]?.values).toHaveLength(10);
  });

  test.each(['-release', 'release', '-count()', ''])('of groups of events, sorted by "%s"', async (sort) => {
    const common = { excludeOther: 1, topEvents: 5, query: '', ...(sort && { sort }) };
    const lines = await ask<{ timeSeries: Line[] }>(`${ORG}/events-timeseries`, {
      ...ZONED,
      ...common,
      dataset: 'discover',
      groupBy: ['release', 'environment'],
      interval: 60,
      yAxis: 'count()',
    });
    expect(lines.timeSeries).toHaveLength(3);
    const legacy = await ask<object>(`${ORG}/events-stats`, {
      ...ZONED,
      ...common,
      interval: '60s',
      partial: 1,
      field: ['count()', 'release'],
      yAxis: 'count()',
    });
    expect(Object.keys(legacy).toSorted()).toEqual(['web@1', 'web@2']);
  });

  test('of spans', async () => {
    const values = { ...ZONED, dataset: 'spans', excludeOther: 0, interval: 300, query: '' };
    const whole = await ask<{ timeSeries: Line[] }>(`${ORG}/events-timeseries`, {
      ...values,
      yAxis: 'count()',
    });
    expect(whole.timeSeries).toHaveLength(1);
    const grouped = {
      ...values,
      groupBy: 'span.op',
      sort: '-count()',
      topEvents: 10,
      yAxis: 'avg(span.duration)',
    };
    expect((await ask<{ timeSeries: Line[] }>(`${ORG}/events-timeseries`, grouped)).timeSeries).toHaveLength(
      2,
    );
    const old = { ...ZONED, dataset: 'spans', query: '', partial: 1, excludeOther: 0, sampling: 'NORMAL' };
    const stats = { ...old, topEvents: 10, field: ['count()', 'span.op'], yAxis: 'count()' };
    expect(Object.keys(await ask<object>(`${ORG}/events-stats`, stats))).toHaveLength(2);
  });
});

describe('sessions, which its menu calls metrics', () => {
  const sessions = (values: Values) =>
    ask<Groups>(`${ORG}/sessions`, { ...RANGE, includeSeries: 1, interval: '300s', ...values });

  test.each([
    ['sum(session)', 4, [2, 2]],
    ['count_unique(user)', 3, [1, 2]],
    ['crash_free_rate(session)', 0.75, [0.5, 1]],
    ['crash_free_rate(user)', 2 / 3, [0, 1]],
    ['crash_rate(session)', 0.25, [0.5, 0]],
    ['crash_rate(user)', 1 / 3, [1, 0]],
    ['anr_rate()', 1 / 3, [0, 0.5]],
    ['foreground_anr_rate()', 1 / 3, [0, 0.5]],
  ])('%s', async (field, total, series) => {
    const { intervals, groups } = await sessions({ field, per_page: 1 });
    expect(intervals).toHaveLength(2);
    expect(groups).toEqual([
      { by: {}, totals: { [field]: expect.closeTo(total) }, series: { [field]: series } },
    ]);
  });

  test.each([
    ['environment', [{ environment: 'production' }, { environment: 'staging' }]],
    ['project', [{ projectSlug: 'web' }, { projectSlug: 'api' }]],
    ['release', [{ release: 'web@1' }, { release: 'web@2' }]],
  ])('by %s, the most first', async (groupBy, expected) => {
    const field = 'sum(session)';
    const { groups } = await sessions({ field, groupBy, orderBy: `-${field}`, per_page: 5 });
    expect(groups.map(({ by }) => by)).toMatchObject(expected);
    const least = await sessions({ field, groupBy, orderBy: 'crash_free_rate(session)', per_page: 1 });
    expect(least.groups).toHaveLength(1);
    expect(least.groups[0]?.by).toMatchObject(expected[0] as object);
  });

  test('by how they ended', async () => {
    const { groups } = await sessions({ field: 'sum(session)', groupBy: 'session.status' });
    expect(groups.map(({ by, totals }) => [by['session.status'], totals['sum(session)']])).toEqual([
      ['healthy', 2],
      ['errored', 0],
      ['crashed', 1],
      ['abnormal', 1],
      ['unhandled', 0],
    ]);
  });

  test('of a search, projects and environments', async () => {
    const count = async (values: Values) =>
      (await sessions({ field: 'sum(session)', ...values })).groups[0]?.totals['sum(session)'] ?? 0;
    expect(await count({ query: 'release:web@2' })).toBe(1);
    expect(await count({ query: 'project:api' })).toBe(1);
    expect(await count({ project: scene.web.id, environment: 'production' })).toBe(3);
    expect(await count({ query: 'environment:nowhere' })).toBe(0);
  });

  test('says what it cannot filter by', async () => {
    const query = 'field=sum(session)&query=session.status:crashed';
    const [status, answer] = await scene.answer('GET', `${ORG}/sessions`, { query });
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringMatching(/filtered by release/)]);
  });
});

describe('what became of items', () => {
  const stats = (values: Values) =>
    ask<Groups>(`${ORG}/stats_v2`, { ...RANGE, field: 'sum(quantity)', category: 'error', ...values });

  test.each(['1m', '5m', '1h', '90m', '6h', '24h', '1d'])('in intervals of %s', async (interval) => {
    const { intervals, groups } = await stats({ interval, groupBy: ['outcome', 'reason', 'category'] });
    for (const { series } of groups) expect(series['sum(quantity)']).toHaveLength(intervals.length);
    expect(intervals.length).toBeGreaterThan(0);
  });

  test.each(['error', 'transaction', 'attachment', 'default', 'session', 'security'])(
    'of %s',
    async (category) => {
      const outcome = ['accepted', 'filtered', 'invalid', 'rate_limited', 'client_discard', 'abuse'];
      expect((await stats({ interval: '1h', category, outcome, reason: 'none' })).groups).toEqual([]);
    },
  );

  test('refuses what is not counted', async () => {
    const query = 'field=sum(times_seen)&category=error';
    expect((await scene.answer('GET', `${ORG}/stats_v2`, { query }))[0]).toBe(400);
  });
});

describe('lists', () => {
  test('releases and their deploys', async () => {
    const releases = (values: Values) =>
      ask<{ version: string }[]>(`${ORG}/releases`, { per_page: 100, ...values });
    const all = await releases({ project: scene.web.id, query: 'web' });
    expect(all.map(({ version }) => version).toSorted()).toEqual(['web@1', 'web@2']);
    const staging = await releases({ environment: ['staging'] });
    expect(staging.map(({ version }) => version).toSorted()).toEqual(['web@1', 'web@2']);
    expect(await releases({ environment: 'nowhere' })).toEqual([]);
    const params = { version: 'web@1' };
    expect(await ask(`${ORG}/releases/[version]/deploys`, { per_page: 100 }, params)).toEqual([]);
  });

  test('organizations, projects, teams, tags and attributes', async () => {
    for (const path of ['organizations', `${ORG}/projects`, `${ORG}/teams`, `${ORG}/tags`]) {
      expect(Array.isArray(await ask(path, {}))).toBe(true);
    }
    // From which it takes the environments that it offers.
    expect(await ask(`${ORG}/projects`, {})).toMatchObject([
      { slug: 'api', environments: ['staging'] },
      { slug: 'web', environments: ['production'] },
    ]);
    const values = { attributeType: 'number', itemType: 'spans' };
    expect((await ask<object[]>(`${ORG}/trace-items/attributes`, values)).length).toBeGreaterThan(0);
  });

  test('says that there are no uptime checks', async () => {
    const [status, answer] = await scene.answer('GET', `${ORG}/events`, { query: 'dataset=uptimeResults' });
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringMatching(/not supported/)]);
  });
});

test('an hour is the shortest interval of outcomes', async () => {
  const range = { start: plain(NOON_MS - HOUR_MS), end: plain(NOON_MS + HOUR_MS) };
  const { intervals } = await ask<Groups>(`${ORG}/stats_v2`, {
    ...range,
    interval: '10m',
    category: 'error',
  });
  expect(intervals).toHaveLength(2);
});
