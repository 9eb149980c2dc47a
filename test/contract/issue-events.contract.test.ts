import { beforeEach, describe, expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createIssueTagStore } from '#storage/clickhouse/issue-tags.ts';
import type { EventScope, EventStore, IssueEvents, IssueRanking } from '#storage/ports/events.ts';
import type { EventExpression, TextField } from '#storage/ports/search.ts';
import { describeOnClickhouse } from './engines.ts';
import { AT_NOON, DEFAULT, ORGANIZATION, RANGE, useEventScene } from './event-scene.ts';
import { DAY_MS, HOUR_MS, hashOf, NOON_MS } from './sample-events.ts';

describeOnClickhouse('The events of issues in the EventStore', (engine) => {
  const { event, insert, issueOf, ...scene } = useEventScene(engine);
  let database: ClickhouseDatabase;
  let store: EventStore;
  let projectId: number;
  let scope: EventScope;
  const start = () => {
    ({ database, store, projectId, scope } = scene.start());
  };

  test('copies of an event hide none that is beside it, and an event alone has none', async () => {
    start();
    const [older, latest, alone] = [
      event({ occurredAt: NOON_MS }),
      event({ occurredAt: NOON_MS + 1 }),
      event({ groupingHash: hashOf('alone') }),
    ];
    await insert(older);
    for (let copies = 0; copies < 5; copies++) await insert(latest, alone);
    const issue = issueOf(DEFAULT);
    expect(await store.findEdgeBeside(scope, issue, 'latest')).toMatchObject({
      event: { eventId: latest.eventId },
      beside: { previousId: older.eventId, nextId: null },
    });
    expect(await store.findEdgeBeside(scope, issueOf(hashOf('alone')), 'latest')).toMatchObject({
      beside: { previousId: null, nextId: null },
    });
  });

  test('activity is counted per issue and bucket, in the order asked, with the users of the whole range', async () => {
    start();
    const [a, b, c] = [hashOf('a'), hashOf('b'), hashOf('c')];
    const user = (id: string | null, ip: string | null = null) => ({ id, email: null, username: null, ip });
    await insert(
      event({ groupingHash: a, occurredAt: NOON_MS, user: user('1') }),
      event({ groupingHash: a, occurredAt: NOON_MS + 2 * HOUR_MS, user: user('1') }),
      event({ groupingHash: b, occurredAt: NOON_MS + 2 * HOUR_MS, user: user('2') }),
      event({ groupingHash: b, occurredAt: NOON_MS + 2 * HOUR_MS, user: user(null, '1') }),
      event({ groupingHash: c, occurredAt: NOON_MS + HOUR_MS, user: user(null) }),
      event({ groupingHash: c, occurredAt: NOON_MS + 3 * HOUR_MS }),
    );
    const issues: IssueEvents[] = [
      { issueId: 30, projectId, hashes: [c] },
      { issueId: 99, projectId, hashes: [] },
      { issueId: 10, projectId, hashes: [a, b] },
      { issueId: 98, projectId, hashes: [hashOf('silent')] },
    ];
    const range = { fromMs: NOON_MS, toMs: NOON_MS + 3 * HOUR_MS };
    const seen = (first: number, last: number) => ({
      firstSeen: NOON_MS + first * HOUR_MS,
      lastSeen: NOON_MS + last * HOUR_MS,
    });
    const never = { buckets: [0, 0, 0], events: 0, users: 0, firstSeen: null, lastSeen: null };
    expect(await store.countActivity(scope, issues, range, HOUR_MS)).toEqual([
      { issueId: 30, buckets: [0, 1, 0], events: 1, users: 0, ...seen(1, 1) },
      { issueId: 99, ...never },
      { issueId: 10, buckets: [1, 0, 3], events: 4, users: 3, ...seen(0, 2) },
      { issueId: 98, ...never },
    ]);
    expect(await store.countActivity(scope, [], range, HOUR_MS)).toEqual([]);
  });

  test('buckets may begin before the range, and count none of what is outside', async () => {
    start();
    const at = (hours: number) => event({ occurredAt: NOON_MS + hours * HOUR_MS });
    await insert(at(0), at(0.5), at(0.75), at(1.25), at(2.25));
    const range = { fromMs: NOON_MS + HOUR_MS / 2, toMs: NOON_MS + 2.25 * HOUR_MS, bucketsFromMs: NOON_MS };
    expect(await store.countActivity(scope, [issueOf(DEFAULT)], range, HOUR_MS)).toMatchObject([
      { buckets: [2, 1, 0], events: 3 },
    ]);
  });

  test('events are told apart by their whole ids: those of one machine and clock share a half', async () => {
    start();
    const half = 'a1b2c3d4e5f60718';
    const ids = [1, 2, 3].map((count) => `${count}`.padStart(16, '0'));
    await insert(...ids.flatMap((id) => [event({ eventId: half + id }), event({ eventId: id + half })]));
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
    expect(await store.countActivity(scope, [issueOf(DEFAULT)], range, DAY_MS)).toMatchObject([
      { events: 6 },
    ]);
  });

  test('buckets may be a part of the range: what is outside of them counts, and is in none', async () => {
    start();
    const at = (hours: number) =>
      event({
        occurredAt: NOON_MS + hours * HOUR_MS,
        user: { id: `u${hours}`, email: null, username: null, ip: null },
      });
    await insert(at(0), at(0.9), at(1), at(1.5), at(2.9), at(3), at(4));
    const range = {
      fromMs: NOON_MS,
      toMs: NOON_MS + 4 * HOUR_MS,
      bucketsFromMs: NOON_MS + HOUR_MS,
      bucketsToMs: NOON_MS + 3 * HOUR_MS,
    };
    expect(await store.countActivity(scope, [issueOf(DEFAULT)], range, HOUR_MS)).toEqual([
      {
        issueId: expect.any(Number),
        buckets: [2, 1],
        events: 6,
        users: 6,
        firstSeen: NOON_MS,
        lastSeen: NOON_MS + 3 * HOUR_MS,
      },
    ]);
  });

  /** The index of events knows the one, and the table of events alone the other. */
  const fields: readonly TextField[] = [
    { kind: 'column', name: 'environment' },
    { kind: 'tag', key: 'stage' },
  ];
  describe.each(fields)('of the events of an issue that a filter by a $kind leaves', (field) => {
    const staging: EventExpression = {
      kind: 'text',
      field,
      matches: [{ kind: 'exact', text: 'staging' }],
      isNegated: false,
    };
    const user = (id: string) => ({ id, email: null, username: null, ip: null });
    const at = (hours: number) => NOON_MS + hours * HOUR_MS;
    let own: DigestedEvent[];
    let issue: IssueEvents;

    beforeEach(async () => {
      start();
      const [a, b] = [hashOf('a'), hashOf('b')];
      own = [
        event({
          groupingHash: a,
          occurredAt: at(0),
          environment: 'staging',
          user: user('1'),
          tags: [
            ['tier', 'gold'],
            ['stage', 'staging'],
          ],
        }),
        event({
          groupingHash: b,
          occurredAt: at(1),
          environment: 'production',
          user: user('2'),
          tags: [['tier', 'silver']],
        }),
        event({
          groupingHash: b,
          occurredAt: at(2),
          environment: 'staging',
          user: user('1'),
          tags: [['stage', 'staging']],
        }),
        event({ groupingHash: a, occurredAt: at(3), environment: 'production', user: user('3') }),
      ];
      await insert(...own);
      // A copy, and another issue.
      await insert(own[0]!, event({ groupingHash: hashOf('other'), environment: 'staging' }));
      issue = issueOf(a, b);
    });

    test('events, users, buckets, and first and last seen are counted', async () => {
      const range = { fromMs: at(0), toMs: at(4) };
      expect(await store.countActivity(scope, [issue], range, HOUR_MS, staging)).toEqual([
        { issueId: 1, buckets: [1, 0, 1, 0], events: 2, users: 1, firstSeen: at(0), lastSeen: at(2) },
      ]);
    });

    test('tags and their values are counted', async () => {
      const limits = { keys: 9, values: 9, events: 100 };
      expect(await store.countTags(scope, issue, RANGE, limits, staging)).toContainEqual(
        expect.objectContaining({ key: 'tier', total: 1, distinct: 1 }),
      );
      expect(
        await createIssueTagStore(database).countValues(scope, issue, 'tier', RANGE, limits, staging),
      ).toMatchObject({ total: 1, distinct: 1, values: [{ value: 'gold', count: 1 }] });
    });

    test('the oldest and the latest are found, and neighbors follow each other', async () => {
      const filter = { range: null, expression: staging };
      const [first, between, last] = own;
      expect((await store.findEdgeEvent(scope, issue, 'latest', filter))?.eventId).toBe(last?.eventId);
      expect((await store.findEdgeEvent(scope, issue, 'oldest', filter))?.eventId).toBe(first?.eventId);
      expect(await store.findNeighbors(scope, issue, last!, filter)).toEqual({
        previousId: first?.eventId,
        nextId: null,
        position: 2,
        total: 2,
      });
      // What is not among them has no place there.
      expect(await store.findNeighbors(scope, issue, between!, filter)).toMatchObject({
        position: 0,
        total: 2,
      });
      const early = { range: { fromMs: at(0), toMs: at(2) } };
      expect((await store.findEdgeEvent(scope, issue, 'recommended', early))?.eventId).toBe(between?.eventId);
      for (const edge of ['oldest', 'latest'] as const) {
        const beside = { previousId: first?.eventId, nextId: last?.eventId };
        expect(await store.findEdgeBeside(scope, issue, edge, filter)).toEqual({
          event: await store.findEdgeEvent(scope, issue, edge, filter),
          beside: edge === 'oldest' ? { ...beside, previousId: null } : { ...beside, nextId: null },
        });
      }
      expect(
        await store.findEdgeBeside(scope, issue, 'latest', { range: { fromMs: at(5), toMs: at(6) } }),
      ).toBeNull();
      expect(await store.findNeighbors(scope, issue, between!, early)).toMatchObject({
        nextId: null,
        total: 2,
      });
      expect(
        await store.findEdgeEvent(scope, issue, 'latest', { range: { fromMs: at(5), toMs: at(6) } }),
      ).toBeNull();
    });

    test('issues are ranked by events, users and growth', async () => {
      const [c, d] = [hashOf('c'), hashOf('d')];
      const sent = (hash: string, hours: number, environment: string, id: string) =>
        event({
          groupingHash: hash,
          occurredAt: at(hours),
          environment,
          user: user(id),
          tags: [['stage', environment]],
        });
      await insert(
        sent(c, 0, 'staging', '1'),
        sent(c, 0.1, 'staging', '2'),
        sent(d, 3.5, 'staging', '1'),
        sent(d, 3.6, 'production', '1'),
        sent(d, 3.7, 'production', '1'),
      );
      const issues = [
        { issueId: 10, projectId, hashes: [c] },
        { issueId: 11, projectId, hashes: [d] },
        { issueId: 12, projectId, hashes: [hashOf('silent')] },
      ];
      const range = { fromMs: at(0), toMs: at(4) };
      const rank = (by: IssueRanking, expression?: EventExpression) =>
        store.rankIssues(scope, issues, range, by, expression);
      expect(await rank('events')).toEqual([11, 10]);
      expect(await rank('events', staging)).toEqual([10, 11]);
      expect(await rank('users')).toEqual([10, 11]);
      expect(await rank('trend')).toEqual([11, 10]);
      expect(await rank('trend', staging)).toEqual([11, 10]);
      expect(await store.rankIssues({ ...scope, projectIds: [] }, issues, range, 'events')).toEqual([]);
    });
  });

  test('an issue of many hashes is read over all of them', async () => {
    start();
    const hashes = Array.from({ length: 3_500 }, (_, index) => hashOf(`many ${index}`));
    const [first, last] = [event({ groupingHash: hashes[0]! }), event({ groupingHash: hashes.at(-1)! })];
    await insert(first, last);
    const issue = issueOf(...hashes);
    expect(await store.countActivity(scope, [issue], RANGE, 2 * DAY_MS)).toMatchObject([{ events: 2 }]);
    expect(
      (await store.listIssueEvents(scope, issue, { limit: 5, before: null, range: null })).events,
    ).toHaveLength(2);
    expect(await store.findNeighbors(scope, issue, first)).toMatchObject({ total: 2 });
  });

  test('the same hash in two projects is two issues', async () => {
    start();
    const firstProject = projectId;
    await insert(event(), event());
    start();
    await insert(event());
    const both = { organizationId: ORGANIZATION, projectIds: [firstProject, projectId] };
    const issues = [
      { issueId: 1, projectId: firstProject, hashes: [DEFAULT] },
      { issueId: 2, projectId, hashes: [DEFAULT] },
    ];
    expect(await store.countActivity(both, issues, RANGE, 2 * DAY_MS)).toMatchObject([
      { issueId: 1, events: 2 },
      { issueId: 2, events: 1 },
    ]);
  });

  test('events of another project with the hash of a listed issue belong to none of those listed', async () => {
    start();
    const firstProject = projectId;
    const other = hashOf('other');
    await insert(event(), event({ groupingHash: other }));
    start();
    await insert(event(), event(), event({ groupingHash: other }));
    const both = { organizationId: ORGANIZATION, projectIds: [firstProject, projectId] };
    const issues = [
      { issueId: 1, projectId: firstProject, hashes: [DEFAULT] },
      { issueId: 2, projectId, hashes: [other] },
    ];
    expect(await store.countActivity(both, issues, RANGE, 2 * DAY_MS)).toMatchObject([
      { issueId: 1, events: 1 },
      { issueId: 2, events: 1 },
    ]);
    expect(await store.rankIssues(both, issues, RANGE, 'events')).toEqual([1, 2]);
  });

  test('too many buckets are refused', async () => {
    start();
    const range = { fromMs: 0, toMs: NOON_MS };
    await expect(store.countActivity(scope, [issueOf(DEFAULT)], range, 1_000)).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(store.countActivity(scope, [issueOf(DEFAULT)], range, 0)).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('tags are counted most frequent first, within the limits', async () => {
    start();
    const browsers = ['Firefox', 'Chrome', 'Chrome', 'Safari', 'Chrome', 'Firefox'];
    await insert(
      ...browsers.map((browser, index) =>
        event({
          tags: [
            ['browser', browser],
            ['index', String(index)],
            ...(index === 0 ? [['rare', 'yes'] as const] : []),
          ],
        }),
      ),
    );
    expect(
      await store.countTags(scope, issueOf(DEFAULT), RANGE, { keys: 2, values: 2, events: 100 }),
    ).toEqual([
      {
        key: 'browser',
        total: 6,
        distinct: 3,
        top: [
          { value: 'Chrome', count: 3, ...AT_NOON },
          { value: 'Firefox', count: 2, ...AT_NOON },
        ],
      },
      {
        key: 'index',
        total: 6,
        distinct: 6,
        top: [
          { value: '0', count: 1, ...AT_NOON },
          { value: '1', count: 1, ...AT_NOON },
        ],
      },
    ]);
    const all = await store.countTags(scope, issueOf(DEFAULT), RANGE, { keys: 10, values: 10, events: 100 });
    expect(all.at(-1)).toEqual({
      key: 'rare',
      total: 1,
      distinct: 1,
      top: [{ value: 'yes', count: 1, ...AT_NOON }],
    });
  });

  test('of users the e-mail address is told, else the name', async () => {
    start();
    const user = (id: string, known: { email?: string; username?: string }) =>
      event({
        user: { id, email: null, username: null, ip: null, ...known },
        tags: [['user', `id:${id}`]],
      });
    await insert(
      user('1', { email: 'ana@example.com', username: 'ana' }),
      user('1', { email: 'ana@example.com', username: 'ana' }),
      user('2', { username: 'ben' }),
      user('3', {}),
    );
    const limits = { keys: 5, values: 5, events: 100 };
    expect(await store.countTags(scope, issueOf(DEFAULT), RANGE, limits)).toContainEqual({
      key: 'user',
      total: 4,
      distinct: 3,
      top: [
        { value: 'id:1', count: 2, ...AT_NOON, person: 'ana@example.com' },
        { value: 'id:2', count: 1, ...AT_NOON, person: 'ben' },
        { value: 'id:3', count: 1, ...AT_NOON },
      ],
    });
  });

  test('tags are counted over the newest events where there are many', async () => {
    start();
    await insert(
      ...[0, 1, 2, 3].map((index) =>
        event({ occurredAt: NOON_MS + index, tags: [['half', index < 2 ? 'older' : 'newer']] }),
      ),
    );
    const limits = { keys: 5, values: 5, events: 2 };
    expect(await store.countTags(scope, issueOf(DEFAULT), RANGE, limits)).toContainEqual({
      key: 'half',
      total: 2,
      distinct: 1,
      top: [{ value: 'newer', count: 2, firstSeen: NOON_MS + 2, lastSeen: NOON_MS + 3 }],
    });
  });

  test('what arrived days later is among the newest by when it happened', async () => {
    start();
    await insert(
      event({ occurredAt: NOON_MS, receivedAt: NOON_MS + 3 * DAY_MS, tags: [['arrived', 'late']] }),
      event({ occurredAt: NOON_MS + 1, receivedAt: NOON_MS + 1, tags: [['arrived', 'soon']] }),
      event({ occurredAt: NOON_MS + 2, receivedAt: NOON_MS + 2 * DAY_MS, tags: [['arrived', 'late']] }),
    );
    const countNewest = async (events: number) => {
      const limits = { keys: 5, values: 5, events };
      const tags = await store.countTags(scope, issueOf(DEFAULT), RANGE, limits);
      return tags.find(({ key }) => key === 'arrived')?.top.map(({ value, count }) => [value, count]);
    };
    expect(await countNewest(2)).toEqual([
      ['late', 1],
      ['soon', 1],
    ]);
    expect(await countNewest(3)).toEqual([
      ['late', 2],
      ['soon', 1],
    ]);
  });
});
