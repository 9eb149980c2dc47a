import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeIssues } from '#product/grouping/merge-issues.ts';
import { hashOf, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene, TRACE } from './events-scene.ts';

type Table = {
  data: Record<string, unknown>[];
  meta: { fields: Record<string, string>; units: Record<string, string | null>; dataset: string };
};

let scene: ApiScene;
beforeAll(async () => {
  scene = await openEventsScene();
});
afterAll(async () => {
  await scene?.close();
});

const ask = async (query: string): Promise<[number, Table, string]> => {
  const response = await scene.ask('GET', 'organizations/[org]/events', { query });
  return [response.status, (await response.json()) as Table, response.headers.get('link') ?? ''];
};
const rows = async (query: string) => {
  const [status, table] = await ask(query);
  expect([status, status === 200 ? '' : table]).toEqual([200, '']);
  return table.data;
};
const fields = (...names: string[]) => names.map((name) => `field=${encodeURIComponent(name)}`).join('&');

test('spans, as `sentry span list` asks for them', async () => {
  const asked = fields(
    'id',
    'parent_span',
    'span.op',
    'description',
    'span.duration',
    'timestamp',
    'project',
    'transaction',
    'trace',
  );
  const [, table] = await ask(
    `dataset=spans&${asked}&per_page=2&statsPeriod=7d&sort=-span.duration&query=project:web`,
  );
  expect(table.data).toMatchObject(
    [
      { 'span.op': 'db', description: 'POST /pay', 'span.duration': 40, project: 'web', trace: TRACE },
      { 'span.op': 'http.server', 'span.duration': 30, timestamp: '2026-01-01T12:02:00.000000Z' },
    ].map((row) => ({
      ...row,
      ...('timestamp' in row && { timestamp: expect.stringMatching(/:02:00\.000000Z$/) }),
    })),
  );
  expect(table.data[0]).toHaveProperty('parent_span');
  expect(table.meta).toMatchObject({
    dataset: 'spans',
    fields: { id: 'string', 'span.duration': 'duration', timestamp: 'date' },
    units: { id: null, 'span.duration': 'millisecond' },
  });
});

test('transactions, as `sentry trace list` asks for them', async () => {
  const asked = fields('trace', 'id', 'transaction', 'timestamp', 'transaction.duration', 'project');
  const all = await rows(
    `dataset=transactions&${asked}&sort=-timestamp&query=${encodeURIComponent('span.op:db OR span.op:http.server')}`,
  );
  expect(all.map((row) => row.id)).toEqual([3, 2, 1, 0].map((index) => `${index}`.repeat(32)));
  expect(all[0]).toMatchObject({ 'transaction.duration': 40, project: 'web', transaction: 'GET /cart' });
});

test('pages of rows and of groups', async () => {
  for (const asked of [
    `${fields('id')}&sort=-timestamp`,
    `${fields('id')}&sort=span.duration`,
    fields('span.duration', 'count()'),
  ]) {
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page += 1) {
      const [, table, link] = await ask(`dataset=spans&per_page=4&${asked}&cursor=${cursor}`);
      seen.push(...table.data.map((row) => row.id ?? row['span.duration']));
      const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(link)?.[1];
      if (!next) break;
      cursor = encodeURIComponent(next);
    }
    expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
  }
});

test('logs of all projects, and only those behind a moment', async () => {
  const asked = fields(
    'sentry.item_id',
    'trace',
    'severity',
    'timestamp',
    'timestamp_precise',
    'message',
    'project.id',
    'tags[order.number,number]',
  );
  const all = await rows(`dataset=logs&${asked}&per_page=1000&statsPeriod=30d&sort=timestamp`);
  expect(all).toMatchObject([
    { severity: 'info', message: 'Order 0 paid', 'project.id': scene.web.id, 'tags[order.number,number]': 0 },
    { severity: 'error', message: 'Order 1 paid', timestamp_precise: (NOON_MS + MINUTE_MS) * 1e6 + 500_000 },
  ]);
  const after = await rows(`dataset=logs&${asked}&query=timestamp_precise:>${all[0]?.timestamp_precise}`);
  expect(after.map(({ message }) => message)).toEqual(['Order 1 paid']);
  const [one] = await rows(
    `dataset=ourlogs&${asked}&query=${encodeURIComponent(`project:web sentry.item_id:[${all[0]?.['sentry.item_id']}]`)}`,
  );
  expect(one?.message).toBe('Order 0 paid');
  expect((await rows('dataset=logs&per_page=1'))[0]).toMatchObject({ project: 'api', severity: 'error' });
});

test('groups by several fields, sorted as clients write it', async () => {
  const asked = fields('project', 'span.op', 'count()', 'p95(span.duration)', 'epm()', 'failure_rate()');
  const [, table] = await ask(`dataset=spans&${asked}&sort=-p95_span_duration&statsPeriod=1h`);
  expect(
    table.data.map((row) => [row.project, row['span.op'], row['count()'], row['failure_rate()']]),
  ).toEqual([
    ['api', 'db', 2, 0],
    ['web', 'db', 1, 1],
    ['web', 'http.server', 3, 0],
  ]);
  expect(table.meta.fields).toEqual({
    project: 'string',
    'span.op': 'string',
    'count()': 'integer',
    'p95(span.duration)': 'duration',
    'epm()': 'rate',
    'failure_rate()': 'percentage',
  });
  expect(table.meta.units).toMatchObject({
    'epm()': '1/minute',
    'p95(span.duration)': 'millisecond',
    project: null,
  });
  const byId = await rows(`dataset=spans&${fields('project.id', 'count()')}&sort=count`);
  expect(byId).toEqual([
    { 'project.id': scene.api.id, 'count()': 2 },
    { 'project.id': scene.web.id, 'count()': 4 },
  ]);
});

test('errors by several fields', async () => {
  const [, table] = await ask(
    `${fields('release', 'environment', 'count()', 'epm()', 'last_seen()')}&sort=-count()`,
  );
  expect(table.data).toHaveLength(3);
  expect(table.data[0]).toMatchObject({ release: expect.stringMatching(/^web@/), 'count()': 1 });
  expect(table.data[0]?.['last_seen()']).toBe(new Date(NOON_MS).toISOString());
  expect(table.meta.fields['last_seen()']).toBe('date');
  expect(
    await rows(
      `dataset=discover&${fields('release', 'count()')}&sort=-count&environment=production&project=${scene.web.id}`,
    ),
  ).toHaveLength(2);
});

test('errors by issue, those that were merged as one', async () => {
  const { product, mine, web, owner } = scene;
  const hashes = ['one', 'two', 'three'].map(hashOf);
  await product.ingest(
    mine,
    hashes.map((groupingHash, index) => ({
      projectId: web.id,
      occurredAt: NOON_MS - index,
      groupingHash,
      title: `Merged`,
      user: { id: 'ada', email: null, username: null, ip: null },
    })),
  );
  const groups = async () =>
    (
      await rows(
        `query=title:Merged&${fields('issue', 'title', 'count()', 'count_unique(user)')}&sort=-count()`,
      )
    ).map((row) => [row.issue, row.title, row['count()'], row['count_unique(user)']]);
  const before = await groups();
  expect(before.map(([, ...rest]) => rest)).toEqual(hashes.map(() => ['Merged', 1, 1]));
  const issues = await Promise.all(
    before.slice(0, 2).map(([issue]) => product.stores.issues.findByShortId(mine.id, String(issue))),
  );
  const { target } = await mergeIssues(owner, { issueIds: issues.map((issue) => issue!.id) });
  expect(await groups()).toEqual([
    [target.shortId, 'Merged', 2, 1],
    [before[2]?.[0], 'Merged', 1, 1],
  ]);
  expect(await rows(`query=title:Merged&${fields('user', 'user.display', 'count()')}`)).toEqual([
    { user: 'id:ada', 'user.display': 'ada', 'count()': 3 },
  ]);
  const query = `query=title:Merged&yAxis=count()&field=issue&topEvents=5&statsPeriod=1h&excludeOther=1`;
  const [, chart] = await scene.answer<object>('GET', 'organizations/[org]/events-stats', { query });
  expect(Object.keys(chart)).toEqual([target.shortId, before[2]?.[0]]);
});

test('errors by as many fields as Grafana asks for', async () => {
  const asked = fields('id', 'title', 'project', 'project.id', 'release', 'level', 'event.type', 'platform');
  const found = await rows(
    `${asked}&${fields('count()', 'epm()', 'last_seen()')}&sort=-last_seen()&query=!title:Merged`,
  );
  expect(found).toHaveLength(3);
  expect(found[0]).toMatchObject({ 'event.type': 'error', 'count()': 1, id: expect.any(String) });
});

test('a metric by its name, and which metrics there are', async () => {
  const name = 'sum(value,checkout.time,distribution,millisecond)';
  expect(await rows(`dataset=tracemetrics&${fields(name, 'count()')}`)).toEqual([
    { [name]: 12, 'count()': 2 },
  ]);
  expect(
    await rows(`dataset=metricsEnhanced&${fields('metric.name', 'metric.type', 'metric.unit')}`),
  ).toEqual([
    { 'metric.name': 'checkout.time', 'metric.type': 'distribution', 'metric.unit': 'millisecond' },
    { 'metric.name': 'other', 'metric.type': 'distribution', 'metric.unit': 'millisecond' },
  ]);
});

test.each([
  ['dataset=nothing', /not supported/],
  [`dataset=spans&${fields('nothing()')}`, /is not available for spans/],
  [`dataset=spans&${fields('id')}&sort=-count()`, /sorted by a field/],
  [`dataset=spans&${fields('timestamp', 'count()')}`, /grouped by timestamp/],
  [`dataset=spans&query=${encodeURIComponent('span.duration:>abc')}`, /needs a duration/],
  [`dataset=logs&query=project:nothing`, /projects by slug/],
])('refuses %s', async (query, message) => {
  const [status, body] = await ask(query);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
});

test('a question is judged part by part', async () => {
  const judge = async (query: string) =>
    (
      await scene.answer<{ valid: boolean; field: unknown[] }>('GET', 'organizations/[org]/events/validate', {
        query,
      })
    )[1];
  expect(
    await judge(
      `dataset=spans&${fields('span.op', 'p95(span.duration)')}&orderby=-p95_span_duration&query=span.op:db`,
    ),
  ).toMatchObject({ valid: true });
  expect(await judge(`dataset=spans&${fields('span.op', 'p95x()')}&query=span.duration:a`)).toMatchObject({
    valid: false,
    field: [{ valid: true }, { valid: false }],
    query: { valid: false },
  });
});

test('issues are counted by search', async () => {
  const count = (query: string) =>
    scene.answer<object>('GET', 'organizations/[org]/issues-count', { query: `statsPeriod=1h&${query}` });
  const unresolved = encodeURIComponent('is:unresolved project:api');
  const [status, counts] = await count(`query=${unresolved}&query=is:resolved`);
  expect([status, counts]).toEqual([200, { 'is:unresolved project:api': 1, 'is:resolved': 0 }]);
  expect((await count('query=level:'))[0]).toBe(400);
});
