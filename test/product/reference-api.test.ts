import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow, newSpanId } from '../contract/sample-telemetry.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';

let scene: ApiScene;
beforeAll(async () => {
  scene = await openApiScene();
  scene.product.clock.nowMs = NOON_MS + 60_000;
});
afterAll(async () => {
  await scene?.close();
});

describe('projects of teams', () => {
  test('a project is made for a team, with a slug of its name, and its teams are told', async () => {
    await scene.answer('POST', `${ORG}/teams`, { json: { slug: 'shop' } });
    const params = { team: 'shop' };
    expect(
      await scene.answer('POST', 'teams/[org]/[team]/projects', {
        params,
        json: { name: 'Shop Web', platform: 'javascript' },
      }),
    ).toMatchObject([201, { slug: 'shop-web', platform: 'javascript', teams: [{ slug: 'shop' }] }]);
    expect(await scene.answer('GET', 'teams/[org]/[team]/projects', { params })).toMatchObject([
      200,
      [{ slug: 'shop-web' }],
    ]);
    const ofProject = { params: { project: 'shop-web', team: 'shop' } };
    expect(await scene.answer('GET', `${PROJECT}/teams`, ofProject)).toMatchObject([200, [{ slug: 'shop' }]]);
    expect(await scene.answer('DELETE', `${PROJECT}/teams/[team]`, ofProject)).toMatchObject([
      200,
      { slug: 'shop-web', teams: [] },
    ]);
  });

  test.each([
    ['a taken slug', { name: 'Web', slug: 'web' }, 409],
    ['a name without letters', { name: '…' }, 400],
    ['no name', {}, 400],
  ])('%s is refused', async (_, json, status) => {
    const params = { team: 'shop' };
    expect(await scene.answer('POST', 'teams/[org]/[team]/projects', { params, json })).toMatchObject([
      status,
      { detail: expect.any(String) },
    ]);
  });

  test('a team that is not there is not found', async () => {
    const question = { params: { team: 'none' }, json: { name: 'Lost' } };
    expect((await scene.answer('POST', 'teams/[org]/[team]/projects', question))[0]).toBe(404);
    expect((await scene.answer('GET', `${PROJECT}`, { params: { project: 'lost' } }))[0]).toBe(404);
  });

  test('whoever sees the projects of their teams only names one of them', async () => {
    const { product, mine } = scene;
    const narrow = { ...mine, isOpen: false };
    await product.stores.organizations.update(mine.id, { isOpen: false }, NOON_MS);
    try {
      const admin = await product.join(narrow, 'admin');
      const token = await scene.tokenOf(admin);
      const post = (team: string) =>
        scene.answer('POST', 'teams/[org]/[team]/projects', {
          params: { team },
          json: { name: `Of ${team}` },
          token,
        });
      expect((await post('shop'))[0]).toBe(409);
      const own = await product.stores.teams.create(mine.id, { slug: 'own', name: 'Own' });
      await product.stores.teams.setMember(mine.id, own.id, admin.userId, true);
      expect((await post('shop'))[0]).toBe(404);
      expect((await post('own'))[0]).toBe(201);
    } finally {
      await product.stores.organizations.update(mine.id, { isOpen: true }, NOON_MS);
    }
  });
});

describe('client keys', () => {
  test('one is deleted, and gone from the lists', async () => {
    const [, made] = await scene.answer<{ id: string }>('POST', `${PROJECT}/keys`, { json: { name: 'Old' } });
    const params = { key: made.id };
    expect((await scene.answer('DELETE', `${PROJECT}/keys/[key]`, { params }))[0]).toBe(204);
    expect((await scene.answer('DELETE', `${PROJECT}/keys/[key]`, { params }))[0]).toBe(404);
    const [, all] = await scene.answer<{ id: string }[]>('GET', `${ORG}/project-keys`);
    expect(all.map(({ id }) => id)).not.toContain(made.id);
  });

  test('those of all projects come in pages', async () => {
    const first = await scene.ask('GET', `${ORG}/project-keys`, { query: 'limit=1' });
    const cursor = /results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1];
    const [, [rest]] = await scene.answer<{ id: string }[]>('GET', `${ORG}/project-keys`, {
      query: `limit=1&cursor=${cursor}`,
    });
    expect(rest?.id).not.toBe(((await first.json()) as { id: string }[])[0]?.id);
    expect((await scene.answer('GET', `${ORG}/project-keys`, { query: 'status=idle' }))[0]).toBe(400);
  });
});

describe('what an id belongs to', () => {
  test('an event, whichever project has it', async () => {
    const [event] = await scene.product.ingest(scene.mine, [{ projectId: scene.api.id }]);
    const params = { event: event!.eventId };
    expect(await scene.answer('GET', `${ORG}/eventids/[event]`, { params })).toMatchObject([
      200,
      { projectSlug: 'api', eventId: event!.eventId, event: { id: event!.eventId } },
    ]);
    expect((await scene.answer('GET', `${ORG}/eventids/[event]`, { params: { event: 'none' } }))[0]).toBe(
      404,
    );
  });

  test('a short id, in either case', async () => {
    expect(
      await scene.answer('GET', `${ORG}/shortids/[short]`, { params: { short: 'api-1' } }),
    ).toMatchObject([200, { shortId: 'API-1', projectSlug: 'api', group: { shortId: 'API-1' } }]);
  });
});

describe('a trace', () => {
  test('is a tree, and is counted', async () => {
    const { product, mine, web } = scene;
    const origin = { organizationId: mine.id, projectId: web.id };
    const [traceId, root] = ['4c79f60c11214eb38604f4ae0781bfb2', newSpanId()];
    const span = { ...origin, traceId, transactionId: 'a'.repeat(32) };
    await product.stores.telemetry.insert(
      {
        spans: [
          makeRow('spans', { ...span, spanId: root, parentSpanId: null, op: 'http.server' }),
          makeRow('spans', { ...span, parentSpanId: root, op: 'db', startedAtUs: NOON_MS * 1_000 + 5 }),
        ],
        logs: [makeRow('logs', { ...origin, traceId })],
      },
      'trace',
    );
    const params = { trace: traceId };
    const [, tree] = await scene.answer<{ children: unknown[] }[]>('GET', `${ORG}/trace/[trace]`, { params });
    expect(tree).toMatchObject([{ event_id: root, children: [{ op: 'db', children: [] }] }]);
    expect(await scene.answer('GET', `${ORG}/trace-meta/[trace]`, { params })).toEqual([
      200,
      {
        errorsCount: 0,
        logsCount: 1,
        metricsCount: 0,
        performanceIssuesCount: 0,
        spansCount: 2,
        transactionChildCountMap: [{ 'transaction.event_id': 'a'.repeat(32), 'count()': 2 }],
        spansCountMap: { db: 1, 'http.server': 1 },
      },
    ]);
    const gone = { params: { trace: 'b'.repeat(32) } };
    expect((await scene.answer('GET', `${ORG}/trace-meta/[trace]`, gone))[0]).toBe(404);
  });
});

describe('figures', () => {
  test('errors over time, in both shapes', async () => {
    const query = 'statsPeriod=2h&interval=1h&yAxis=count()';
    const [, series] = await scene.answer<{ timeSeries: { values: { value: number }[] }[] }>(
      'GET',
      `${ORG}/events-timeseries`,
      { query },
    );
    const [, stats] = await scene.answer<{ data: [number, [{ count: number }]][] }>(
      'GET',
      `${ORG}/events-stats`,
      { query },
    );
    const counts = series.timeSeries[0]!.values.map(({ value }) => value);
    expect(counts).toEqual(stats.data.map(([, [{ count }]]) => count));
    expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(0);
    expect((await scene.answer('GET', `${ORG}/events-stats`, { query: 'yAxis=p95()' }))[0]).toBe(400);
  });

  test('outcomes by project, in sum and over time', async () => {
    const { mine, web, api } = scene;
    const outcome = {
      organizationId: mine.id,
      keyId: null,
      at: NOON_MS,
      category: 'error',
      reason: '',
    } as const;
    const outcomes = [
      { ...outcome, projectId: web.id, outcome: 'accepted', quantity: 5 },
      { ...outcome, projectId: web.id, outcome: 'filtered', quantity: 2 },
      { ...outcome, projectId: api.id, outcome: 'accepted', quantity: 3 },
    ] as const;
    await scene.product.assignNext([], { outcomes });
    const query = `start=${iso(NOON_MS - HOUR_MS)}&end=${iso(NOON_MS + HOUR_MS)}`;
    expect(await scene.answer('GET', `${ORG}/stats-summary`, { query })).toMatchObject([
      200,
      {
        projects: [
          {
            slug: 'web',
            stats: [
              {
                category: 'error',
                outcomes: { accepted: 5, filtered: 2 },
                totals: { 'sum(quantity)': 7, dropped: 2 },
              },
            ],
          },
          { slug: 'api', stats: [{ outcomes: { accepted: 3 }, totals: { dropped: 0 } }] },
        ],
      },
    ]);
    const csv = await scene.ask('GET', `${ORG}/stats-summary`, { query: `${query}&download=1&project=api` });
    expect(await csv.text()).toBe(
      `project_id,project_slug,category,outcome,quantity\r\n${api.id},api,error,accepted,3\r\n`,
    );
    const grouped = { query: `${query}&groupBy=project&groupBy=outcome&outcome=accepted` };
    expect(await scene.answer('GET', `${ORG}/stats_v2`, grouped)).toMatchObject([
      200,
      {
        groups: [
          { by: { project: web.id, outcome: 'accepted' }, totals: { 'sum(quantity)': 5 } },
          { by: { project: api.id, outcome: 'accepted' }, totals: { 'sum(quantity)': 3 } },
        ],
      },
    ]);
    const since = (NOON_MS - HOUR_MS) / 1_000;
    const pairs = { query: `stat=received&resolution=1h&since=${since}&until=${since + 2 * 3_600}` };
    expect(await scene.answer('GET', `${PROJECT}/stats`, pairs)).toEqual([
      200,
      [
        [since, 0],
        [since + 3_600, 7],
      ],
    ]);
    expect((await scene.answer('GET', `${PROJECT}/stats`, { query: 'stat=toString' }))[0]).toBe(400);
  });

  test('tags and their values', async () => {
    await scene.product.ingest(scene.mine, [
      { projectId: scene.web.id, tags: [['browser', 'Firefox']] },
      { projectId: scene.web.id, tags: [['browser', 'Firefox']] },
      { projectId: scene.web.id, tags: [['browser', 'Safari']] },
    ]);
    const [, tags] = await scene.answer<{ key: string }[]>('GET', `${ORG}/tags`);
    expect(tags.map(({ key }) => key)).toContain('browser');
    expect(
      await scene.answer('GET', `${PROJECT}/tags/[key]/values`, { params: { key: 'browser' } }),
    ).toMatchObject([
      200,
      [
        { value: 'Firefox', count: 2 },
        { value: 'Safari', count: 1 },
      ],
    ]);
  });

  test('replays of issues', async () => {
    const { product, mine, web } = scene;
    const [error] = await product.ingest(mine, [
      { projectId: web.id, title: 'Recorded', groupingHash: 'e'.repeat(32) },
    ]);
    const replay = makeRow('replays', {
      organizationId: mine.id,
      projectId: web.id,
      errorIds: [error!.eventId],
    });
    await product.stores.telemetry.insert({ replays: [replay] }, 'replays');
    const issue = (await product.stores.issues.findByHash(mine.id, web.id, 'e'.repeat(32)))!;
    const ask = (query: string) => scene.answer('GET', `${ORG}/replay-count`, { query });
    expect(await ask(`query=issue.id:[${issue.id},999999]`)).toEqual([200, { [issue.id]: 1, '999999': 0 }]);
    expect(await ask(`query=issue.id:${issue.id}&returnIds=true`)).toEqual([
      200,
      { [issue.id]: [replay.replayId] },
    ]);
    expect(await ask(`query=replay_id:${replay.replayId}`)).toEqual([200, { [replay.replayId]: 1 }]);
    expect((await ask('query=browser:Firefox'))[0]).toBe(400);
  });
});

describe('settings', () => {
  test('an organization and a project take what is scrubbed, all or nothing', async () => {
    const json = {
      name: 'Renamed',
      sensitiveFields: ['iban'],
      scrubIPAddresses: true,
      allowSharedIssues: false,
    };
    expect(await scene.answer('PUT', ORG, { json })).toMatchObject([200, json]);
    const refused = { name: 'Again', sensitiveFields: ['x'.repeat(2_000)] };
    expect((await scene.answer('PUT', ORG, { json: refused }))[0]).toBe(400);
    expect(await scene.answer('GET', ORG)).toMatchObject([
      200,
      { name: 'Renamed', sensitiveFields: ['iban'] },
    ]);
    const ofProject = { name: 'Web shop', safeFields: ['order_id'] };
    expect(await scene.answer('PUT', PROJECT, { json: ofProject })).toMatchObject([200, ofProject]);
    const both = { safeFields: ['other'], slug: 'api' };
    expect((await scene.answer('PUT', PROJECT, { json: both }))[0]).toBe(409);
    expect(await scene.answer('GET', PROJECT)).toMatchObject([200, ofProject]);
  });

  test('spike protection of some projects, and of all', async () => {
    const isOn = async (project: string) => {
      const [, limits] = await scene.answer<{ spikeProtection: { isEnabled: boolean } }>(
        'GET',
        `${PROJECT}/rate-limits`,
        { params: { project } },
      );
      return limits.spikeProtection.isEnabled;
    };
    const all = { json: { projects: ['$all'] } };
    expect((await scene.answer('DELETE', `${ORG}/spike-protections`, all))[0]).toBe(200);
    expect([await isOn('web'), await isOn('api')]).toEqual([false, false]);
    const one = { json: { projects: ['web'] } };
    expect((await scene.answer('POST', `${ORG}/spike-protections`, one))[0]).toBe(201);
    expect([await isOn('web'), await isOn('api')]).toEqual([true, false]);
    const lost = { json: { projects: ['api', 'lost'] } };
    expect((await scene.answer('POST', `${ORG}/spike-protections`, lost))[0]).toBe(404);
    expect(await isOn('api')).toBe(false);
  });

  test('environments by name', async () => {
    await scene.product.ingest(scene.mine, [{ projectId: scene.web.id, environment: 'eu/west' }]);
    expect(await scene.answer('GET', `${ORG}/environments`)).toMatchObject([200, [{ name: 'eu/west' }]]);
    const ask = (environment: string) =>
      scene.answer('GET', `${PROJECT}/environments/[environment]`, { params: { environment } });
    expect(await ask('eu%2Fwest')).toMatchObject([200, { name: 'eu/west', isHidden: false }]);
    expect((await ask('moon'))[0]).toBe(404);
  });

  test('the role in a team is one', async () => {
    const params = { team: 'shop', member: 'me' };
    const path = `${ORG}/members/[member]/teams/[team]`;
    expect((await scene.answer('PUT', path, { params, json: { teamRole: 'contributor' } }))[0]).toBe(404);
    expect((await scene.answer('POST', path, { params }))[0]).toBe(201);
    expect(await scene.answer('PUT', path, { params, json: { teamRole: 'contributor' } })).toEqual([
      200,
      { isActive: true, teamRole: 'contributor' },
    ]);
    expect((await scene.answer('PUT', path, { params, json: { teamRole: 'admin' } }))[0]).toBe(400);
    expect(await scene.answer('GET', `${ORG}/user-teams`)).toMatchObject([200, [{ slug: 'shop' }]]);
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();
