import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createIssueTagStore } from '#storage/clickhouse/issue-tags.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import type { EventPage, EventScope, EventStore, IssueEvents, IssueRanking } from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { createMigratedClickhouse, describeOnClickhouse } from './engines.ts';
import {
  DAY_MS,
  HOSTILE_TEXT,
  HOUR_MS,
  hashOf,
  MINUTE_MS,
  makeEvent,
  NOON_MS,
  newEventId,
} from './sample-events.ts';

type EventCursor = Parameters<EventStore['listEvents']>[1]['before'];

/** When a value of events that all happened at noon was seen. */
const AT_NOON = { firstSeen: NOON_MS, lastSeen: NOON_MS };
const ORGANIZATION = 7;
const RANGE = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };

describeOnClickhouse('EventStore', (engine) => {
  let database: ClickhouseDatabase & { drop(): Promise<void> };
  let store: EventStore;
  let projects = 0;
  let projectId: number;
  let scope: EventScope;
  let tokens = 0;

  async function open(): Promise<void> {
    database = await createMigratedClickhouse(engine);
    // Parts stay as they are inserted, so that copies of an event are there to be read.
    for (const table of ['events', 'event_index']) {
      await database.command(
        `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
      );
    }
    store = createEventStore(database);
  }
  beforeAll(open);
  afterAll(async () => {
    await database?.drop();
  });

  /** A project of its own for each test. */
  function start(): void {
    projects += 1;
    projectId = projects;
    scope = { organizationId: ORGANIZATION, projectIds: [projectId] };
  }

  const event = (overrides: Partial<DigestedEvent> = {}) =>
    makeEvent({ organizationId: ORGANIZATION, projectId, ...overrides });

  const insert = (...events: DigestedEvent[]) => {
    tokens += 1;
    return store.insertEvents(events, `token ${tokens}`);
  };

  const issueOf = (...hashes: string[]): IssueEvents => ({ issueId: 1, projectId, hashes });
  const DEFAULT = hashOf('default');

  const countRows = async (): Promise<number> => {
    const [row] = await database.query<{ rows: number }>(
      'SELECT count() AS rows FROM events WHERE project_id = {projectId:UInt64}',
      { projectId },
    );
    return row!.rows;
  };

  test('an event comes back as it was', async () => {
    start();
    const whole = event({
      occurredAt: NOON_MS + 123,
      receivedAt: NOON_MS + 456,
      title: 'Title',
      culprit: 'culprit',
      message: 'message',
      level: 'fatal',
      platform: 'python',
      release: 'web@1.0.0+build/1',
      environment: 'production',
      transaction: '/checkout',
      user: { id: '42', email: 'a@example.com', username: 'ada', ip: '10.0.0.1' },
      tags: [
        ['level', 'fatal'],
        ['browser', 'Firefox 140'],
      ],
    });
    await insert(whole);
    expect(await store.findEvent(scope, whole.eventId)).toEqual({
      isBodySampled: false,
      eventId: whole.eventId,
      projectId,
      groupingHash: whole.groupingHash,
      title: 'Title',
      message: 'message',
      culprit: 'culprit',
      level: 'fatal',
      platform: 'python',
      occurredAt: NOON_MS + 123,
      receivedAt: NOON_MS + 456,
      release: 'web@1.0.0+build/1',
      environment: 'production',
      transaction: '/checkout',
      user: { id: '42', email: 'a@example.com', username: 'ada', ip: '10.0.0.1' },
      tags: whole.tags,
      payload: whole.payload,
    });
  });

  test('what an event does not have is null', async () => {
    start();
    const bare = event({ tags: [] });
    await insert(bare);
    expect(await store.findEvent(scope, bare.eventId)).toMatchObject({
      release: null,
      environment: null,
      transaction: null,
      user: { id: null, email: null, username: null, ip: null },
      tags: [],
    });
  });

  test('hostile texts come back as they were sent', async () => {
    start();
    const hostile = event({
      title: HOSTILE_TEXT,
      culprit: `${HOSTILE_TEXT}\u0000`,
      message: 'half \ud800 pair',
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      transaction: HOSTILE_TEXT,
      user: { id: HOSTILE_TEXT, email: null, username: HOSTILE_TEXT, ip: null },
      tags: [
        [HOSTILE_TEXT, HOSTILE_TEXT],
        ['__proto__', 'constructor'],
      ],
      payload: { ...event().payload, extra: { [HOSTILE_TEXT]: ['\ud800', '\u0000', HOSTILE_TEXT] } },
    });
    await insert(hostile);
    expect(await store.findEvent(scope, hostile.eventId)).toMatchObject({
      title: HOSTILE_TEXT,
      culprit: `${HOSTILE_TEXT}\u0000`,
      message: 'half \ufffd pair',
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      transaction: HOSTILE_TEXT,
      user: { id: HOSTILE_TEXT, email: null, username: HOSTILE_TEXT, ip: null },
      tags: [
        [HOSTILE_TEXT, HOSTILE_TEXT],
        ['__proto__', 'constructor'],
      ],
      payload: { extra: { [HOSTILE_TEXT]: ['\ud800', '\u0000', HOSTILE_TEXT] } },
    });
    const tags = await store.countTags(scope, issueOf(hostile.groupingHash), RANGE, {
      keys: 10,
      values: 10,
      events: 100,
    });
    expect(tags.find(({ key }) => key === HOSTILE_TEXT)?.top).toEqual([
      { value: HOSTILE_TEXT, count: 1, ...AT_NOON },
    ]);
    expect(await store.findEvent(scope, HOSTILE_TEXT)).toBeNull();
    expect(
      await store.listIssueEvents(scope, issueOf(`' OR 1=1 --`), { limit: 5, before: null, range: null }),
    ).toEqual({
      events: [],
      hasMore: false,
    });
  });

  test('a large event comes back whole', async () => {
    start();
    const text = 'x'.repeat(900_000);
    const large = event({ payload: { ...event().payload, extra: { text } } });
    await insert(large);
    expect((await store.findEvent(scope, large.eventId))?.payload.extra).toEqual({ text });
  });

  test('the same batch with the same token is stored once', async () => {
    start();
    // Two days, so that the batch makes more than one part.
    const events = [event(), event({ occurredAt: NOON_MS - DAY_MS }), event()];
    await store.insertEvents(events, 'the same');
    await store.insertEvents(events, 'the same');
    expect(await countRows()).toBe(3);
  });

  test('inserting nothing is allowed', async () => {
    await store.insertEvents([], 'nothing');
  });

  test('an event that was inserted twice is read once, before any merge', async () => {
    start();
    const twice = event({ user: { id: 'u', email: null, username: null, ip: null }, tags: [['k', 'v']] });
    const older = event({ occurredAt: NOON_MS - MINUTE_MS });
    await insert(twice, older);
    await insert(twice, event({ occurredAt: NOON_MS + MINUTE_MS }));
    await insert(twice);
    expect(await countRows()).toBe(5);

    const issue = issueOf(DEFAULT);
    const page = await store.listIssueEvents(scope, issue, { limit: 10, before: null, range: null });
    expect(page.events).toHaveLength(3);
    expect(page.hasMore).toBe(false);
    expect((await store.listEvents(scope, { limit: 10, before: null, range: null })).events).toHaveLength(3);
    expect(await store.countActivity(scope, [issue], RANGE, DAY_MS)).toMatchObject([
      { issueId: 1, buckets: [1, 2], events: 3, users: 1 },
    ]);
    expect(await store.countTags(scope, issue, RANGE, { keys: 5, values: 5, events: 100 })).toContainEqual({
      key: 'k',
      total: 1,
      distinct: 1,
      top: [{ value: 'v', count: 1, ...AT_NOON }],
    });
    expect(await store.findNeighbors(scope, issue, twice)).toMatchObject({ position: 2, total: 3 });
  });

  test('a page that copies would fill is filled up with others', async () => {
    start();
    const events = Array.from({ length: 12 }, (_, index) => event({ occurredAt: NOON_MS + index }));
    for (let copy = 0; copy < 4; copy++) await insert(...events);
    const page = await store.listIssueEvents(scope, issueOf(DEFAULT), {
      limit: 10,
      before: null,
      range: null,
    });
    expect(page.events.map(({ eventId }) => eventId)).toEqual(
      events
        .slice(2)
        .reverse()
        .map(({ eventId }) => eventId),
    );
    expect(page.hasMore).toBe(true);
  });

  test('of the given keys, exactly those that are stored are found', async () => {
    start();
    const stored = [
      event(),
      event({ groupingHash: hashOf('b') }),
      event({ occurredAt: NOON_MS - 40 * DAY_MS }),
    ];
    const missing = [event(), event({ groupingHash: hashOf('c') })];
    await insert(...stored);
    const names = (events: readonly DigestedEvent[]) =>
      new Set(events.map(({ eventId }) => `${projectId}:${eventId}`));
    expect(await store.findStored([...stored, ...missing])).toEqual(names(stored));
    expect(await store.findStored(missing)).toEqual(new Set());
    expect(await store.findStored([])).toEqual(new Set());
    expect(await store.findStored([{ ...stored[0]!, projectId: projectId + 1_000 }])).toEqual(new Set());
    const many = Array.from({ length: 6_000 }, () => event());
    expect(await store.findStored([...many, ...stored])).toEqual(names(stored));
  });

  test('the oldest and the latest event of an issue are found, over all its hashes', async () => {
    start();
    const [a, b] = [hashOf('a'), hashOf('b')];
    const oldest = event({ groupingHash: b, occurredAt: NOON_MS - DAY_MS });
    const latest = event({ groupingHash: a, occurredAt: NOON_MS + 1 });
    await insert(
      event({ groupingHash: a }),
      latest,
      oldest,
      event({ groupingHash: b }),
      event({ groupingHash: hashOf('other'), occurredAt: NOON_MS + HOUR_MS }),
    );
    expect((await store.findEdgeEvent(scope, issueOf(a, b), 'oldest'))?.eventId).toBe(oldest.eventId);
    expect((await store.findEdgeEvent(scope, issueOf(a, b), 'latest'))?.eventId).toBe(latest.eventId);
    expect((await store.findEdgeEvent(scope, issueOf(b), 'latest'))?.payload).toBeDefined();
    expect(await store.findEdgeEvent(scope, issueOf(hashOf('gone')), 'latest')).toBeNull();
    expect(await store.findEdgeEvent(scope, issueOf(), 'latest')).toBeNull();
  });

  test('neighbors follow each other by time and id, also within one millisecond', async () => {
    start();
    const events = [
      event({ occurredAt: NOON_MS, eventId: 'a'.repeat(32) }),
      event({ occurredAt: NOON_MS, eventId: 'b'.repeat(32) }),
      event({ occurredAt: NOON_MS, eventId: 'c'.repeat(32) }),
      event({ occurredAt: NOON_MS + 1, eventId: '0'.repeat(32) }),
    ];
    await insert(...events, event({ groupingHash: hashOf('other') }));
    for (const [index, current] of events.entries()) {
      expect(await store.findNeighbors(scope, issueOf(DEFAULT), current)).toEqual({
        previousId: events[index - 1]?.eventId ?? null,
        nextId: events[index + 1]?.eventId ?? null,
        position: index + 1,
        total: 4,
      });
    }
  });

  test.for(['listIssueEvents', 'listEvents'] as const)(
    'pages of %s are newest first and neither skip nor repeat',
    async (list) => {
      start();
      const events = Array.from({ length: 29 }, (_, index) =>
        // Several to a millisecond, over more than a week: a page crosses ties and days.
        event({ occurredAt: NOON_MS - (index % 7) * 2 * DAY_MS, tags: [['index', String(index)]] }),
      );
      await insert(...events.slice(0, 20));
      await insert(...events.slice(10));
      const expected = [...events]
        .sort((a, b) => b.occurredAt - a.occurredAt || (a.eventId < b.eventId ? 1 : -1))
        .map(({ eventId }) => eventId);
      for (const limit of [1, 7, 29, 100]) {
        const seen: string[] = [];
        let before: EventCursor = null;
        for (;;) {
          const options: Parameters<EventStore['listEvents']>[1] = { limit, before, range: null };
          const page: EventPage =
            list === 'listEvents'
              ? await store.listEvents(scope, options)
              : await store.listIssueEvents(scope, issueOf(DEFAULT), options);
          expect(page.events.length).toBeLessThanOrEqual(limit);
          seen.push(...page.events.map(({ eventId }) => eventId));
          if (!page.hasMore) break;
          before = page.events.at(-1)!;
        }
        expect(seen).toEqual(expected);
      }
    },
  );

  test('ranges are half-open', async () => {
    start();
    const inside = [event({ occurredAt: NOON_MS }), event({ occurredAt: NOON_MS + HOUR_MS - 1 })];
    await insert(...inside, event({ occurredAt: NOON_MS - 1 }), event({ occurredAt: NOON_MS + HOUR_MS }));
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const ids = inside.map(({ eventId }) => eventId).reverse();
    const options = { limit: 10, before: null, range };
    const ofIssue = await store.listIssueEvents(scope, issueOf(DEFAULT), options);
    expect(ofIssue.events.map(({ eventId }) => eventId)).toEqual(ids);
    const all = await store.listEvents(scope, options);
    expect(all.events.map(({ eventId }) => eventId)).toEqual(ids);
    expect(await store.countActivity(scope, [issueOf(DEFAULT)], range, HOUR_MS)).toMatchObject([
      { events: 2 },
    ]);
    const [level] = await store.countTags(scope, issueOf(DEFAULT), range, {
      keys: 5,
      values: 5,
      events: 100,
    });
    expect(level).toMatchObject({ key: 'level', total: 2 });
  });

  test('all events of recent days are listed too', async () => {
    start();
    const nowMs = Date.now();
    const ages = [0, HOUR_MS, 3 * DAY_MS, 20 * DAY_MS];
    const events = ages.map((age) => event({ occurredAt: nowMs - age }));
    await insert(...events);
    for (const limit of [1, 2, 3, 4]) {
      const page = await store.listEvents(scope, { limit, before: null, range: null });
      expect(page.events.map(({ eventId }) => eventId)).toEqual(
        events.slice(0, limit).map(({ eventId }) => eventId),
      );
      expect(page.hasMore).toBe(limit < 4);
    }
    const range = { fromMs: nowMs - 4 * DAY_MS, toMs: nowMs + 1 };
    expect((await store.listEvents(scope, { limit: 10, before: null, range })).events).toHaveLength(3);
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

  describe('of the events of an issue that a filter leaves', () => {
    const staging: EventExpression = {
      kind: 'text',
      field: { kind: 'column', name: 'environment' },
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
          tags: [['tier', 'gold']],
        }),
        event({
          groupingHash: b,
          occurredAt: at(1),
          environment: 'production',
          user: user('2'),
          tags: [['tier', 'silver']],
        }),
        event({ groupingHash: b, occurredAt: at(2), environment: 'staging', user: user('1') }),
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
      await insert(
        event({ groupingHash: c, occurredAt: at(0), environment: 'staging', user: user('1') }),
        event({ groupingHash: c, occurredAt: at(0.1), environment: 'staging', user: user('2') }),
        event({ groupingHash: d, occurredAt: at(3.5), environment: 'staging', user: user('1') }),
        event({ groupingHash: d, occurredAt: at(3.6), environment: 'production', user: user('1') }),
        event({ groupingHash: d, occurredAt: at(3.7), environment: 'production', user: user('1') }),
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

  test('what is dropped by day, by part, or by hours of a project is counted no more', async () => {
    // What changes stored rows goes through every part that the tests before left unmerged.
    await database.drop();
    await open();
    start();
    const old = event({ occurredAt: NOON_MS - 9 * DAY_MS, receivedAt: NOON_MS - 9 * DAY_MS });
    const first = event({ occurredAt: NOON_MS, receivedAt: NOON_MS + 20 * DAY_MS });
    const second = event({ occurredAt: NOON_MS + 1, receivedAt: NOON_MS + 20 * DAY_MS });
    const late = event({ occurredAt: NOON_MS + 2, receivedAt: NOON_MS + 20 * DAY_MS + 3 * 3_600_000 });
    const other = { ...event(), projectId: projectId + 1_000_000, receivedAt: late.receivedAt };
    for (const each of [old, first, second, late, other]) await insert(each);
    const issue = issueOf(DEFAULT);
    const days = createStoredDays(database);
    const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const whole = { kind: 'events' as const, part: null, projectId: null, hours: [] };
    await days.drop([{ ...whole, day: dayOf(old.receivedAt) }]);
    expect(await store.findNeighbors(scope, issue, second)).toMatchObject({ position: 2, total: 3 });
    const hours = [new Date(late.receivedAt).getUTCHours()];
    await days.drop([{ ...whole, day: dayOf(late.receivedAt), projectId, hours }]);
    expect(await store.findNeighbors(scope, issue, second)).toMatchObject({ position: 2, total: 2 });
    expect(await store.findStored([other])).toEqual(new Set([`${other.projectId}:${other.eventId}`]));
    const [own] = await database.query<{ part: string }>(
      'SELECT _part AS part FROM events WHERE project_id = {projectId:UInt64} AND event_id = {id:FixedString(32)}',
      { projectId, id: first.eventId },
    );
    // As versions before this one dropped.
    if (own) await days.drop([{ ...whole, day: dayOf(first.receivedAt), part: own.part }]);
    expect(await store.findStored([first])).toEqual(new Set());
  });

  test('an event whose index was not written any more is inserted again, and read once', async () => {
    start();
    const whole = event();
    await insert(whole);
    await database.command(`DELETE FROM event_index WHERE project_id = ${projectId}`);
    expect(await store.findStored([whole])).toEqual(new Set());
    await insert(whole);
    expect(await store.findStored([whole])).toEqual(new Set([`${projectId}:${whole.eventId}`]));
    const page = await store.listIssueEvents(scope, issueOf(DEFAULT), {
      limit: 10,
      before: null,
      range: null,
    });
    expect(page.events).toHaveLength(1);
    expect(await store.findNeighbors(scope, issueOf(DEFAULT), whole)).toMatchObject({ total: 1 });
  });

  test('events that were stored before there was an index are put into it', async () => {
    start();
    const old = event({ user: { id: 'u', email: null, username: null, ip: null } });
    await insert(old, event({ occurredAt: NOON_MS + 1 }));
    const read = async () => [
      await store.findNeighbors(scope, issueOf(DEFAULT), old),
      await store.countActivity(scope, [issueOf(DEFAULT)], RANGE, DAY_MS),
      await store.findStored([old]),
    ];
    const before = await read();
    await database.command(`DELETE FROM event_index WHERE project_id = ${projectId}`);
    const migration = new URL(
      '../../src/storage/clickhouse/migrations/0003_event_index.sql',
      import.meta.url,
    );
    const [, fill = ''] = /^(INSERT INTO event_index[\s\S]*);$/m.exec(readFileSync(migration, 'utf8')) ?? [];
    await database.command(fill);
    expect(await read()).toEqual(before);
    expect(before[1]).toMatchObject([{ events: 2, users: 1 }]);
  });

  test('no read crosses organizations or leaves the projects of its scope', async () => {
    start();
    const own = event();
    await insert(own);
    const issue = issueOf(DEFAULT);
    const empty: EventScope = { organizationId: ORGANIZATION, projectIds: [] };
    const otherProject: EventScope = { organizationId: ORGANIZATION, projectIds: [projectId + 1_000] };
    const otherOrganization: EventScope = { organizationId: ORGANIZATION + 1, projectIds: [projectId] };
    const options = { limit: 10, before: null, range: null };
    for (const outside of [empty, otherProject, otherOrganization]) {
      expect(await store.findEvent(outside, own.eventId)).toBeNull();
      expect(await store.findEdgeEvent(outside, issue, 'latest')).toBeNull();
      expect(await store.findNeighbors(outside, issue, own)).toMatchObject({
        previousId: null,
        nextId: null,
        total: 0,
      });
      expect(await store.listIssueEvents(outside, issue, options)).toEqual({ events: [], hasMore: false });
      expect(await store.listEvents(outside, options)).toEqual({ events: [], hasMore: false });
      expect(await store.countActivity(outside, [issue], RANGE, DAY_MS)).toMatchObject([
        { events: 0, users: 0 },
      ]);
      expect(await store.countTags(outside, issue, RANGE, { keys: 5, values: 5, events: 100 })).toEqual([]);
    }
    expect(await store.findEvent(scope, own.eventId)).not.toBeNull();
  });

  test('an event of the same id in another project is another event', async () => {
    start();
    const eventId = newEventId();
    await insert(event({ eventId, title: 'first' }));
    start();
    await insert(event({ eventId, title: 'second' }));
    expect((await store.findEvent(scope, eventId))?.title).toBe('second');
  });

  test('the server answers', async () => {
    await store.ping();
  });
});
