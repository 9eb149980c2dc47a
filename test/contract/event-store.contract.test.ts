import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { createStoredDays } from '#storage/clickhouse/stored-days.ts';
import { writeEvents } from '#storage/clickhouse/written-events.ts';
import type { EventPage, EventScope, EventStore, PreparedEvent } from '#storage/ports/events.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { describeOnClickhouse } from './engines.ts';
import { AT_NOON, DEFAULT, ORGANIZATION, RANGE, useEventScene } from './event-scene.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, MINUTE_MS, NOON_MS, newEventId } from './sample-events.ts';

const FIRST_PAGE = { before: null, range: null } as const;
type EventCursor = Parameters<EventStore['listEvents']>[1]['before'];

describeOnClickhouse('EventStore', (engine) => {
  const { event, insert, issueOf, ...scene } = useEventScene(engine);
  let database: ClickhouseDatabase;
  let store: EventStore;
  let projectId: number;
  let scope: EventScope;
  const start = () => {
    ({ database, store, projectId, scope } = scene.start());
  };

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

  test('an event whose row was written before is stored as it is by then', async () => {
    start();
    const ahead = (made: DigestedEvent): PreparedEvent => {
      const { bytes, places, columns } = writeEvents([made]);
      const payload = { from: places[0]!, to: places[1]! };
      return { ...made, written: { row: bytes, payload, columns: columns[0]! } };
    };
    const whole = event({ groupingHash: hashOf('as it was understood'), title: HOSTILE_TEXT });
    const sampled = event({ occurredAt: NOON_MS + 1, tags: [['browser', 'Firefox']] });
    await insert(
      { ...ahead(whole), groupingHash: DEFAULT },
      { ...ahead(sampled), hasBody: false },
      event({ occurredAt: NOON_MS + 2 }),
    );
    const written = await store.findEvent(scope, whole.eventId);
    expect(written).toMatchObject({ groupingHash: DEFAULT, title: HOSTILE_TEXT, payload: whole.payload });
    expect(await store.findEvent(scope, sampled.eventId)).toMatchObject({
      isBodySampled: true,
      tags: [['browser', 'Firefox']],
    });
    const { events } = await store.listIssueEvents(scope, issueOf(DEFAULT), { ...FIRST_PAGE, limit: 10 });
    expect(events).toHaveLength(3);
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

  test.for(IS_FULL ? (['listIssueEvents', 'listEvents'] as const) : (['listEvents'] as const))(
    'pages of %s are newest first and neither skip nor repeat',
    async (list) => {
      start();
      const events = Array.from({ length: 17 }, (_, index) =>
        // Several to a millisecond, over more than a week: a page crosses ties and days.
        event({ occurredAt: NOON_MS - (index % 7) * 2 * DAY_MS, tags: [['index', String(index)]] }),
      );
      await insert(...events.slice(0, 12));
      await insert(...events.slice(6));
      const expected = [...events]
        .sort((a, b) => b.occurredAt - a.occurredAt || (a.eventId < b.eventId ? 1 : -1))
        .map(({ eventId }) => eventId);
      for (const limit of [1, 7, 17, 100]) {
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

  test('a batch of more days than ClickHouse takes unasked is stored', async () => {
    start();
    const events = Array.from({ length: 120 }, (_, index) => {
      const receivedAt = NOON_MS - index * DAY_MS;
      return event({ receivedAt, occurredAt: receivedAt });
    });
    await insert(...events);
    const page = await store.listEvents(scope, { limit: 200, before: null, range: null });
    expect(page.events).toHaveLength(120);
  });

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

  testInFull('what is dropped by day, by part, or by hours of a project is counted no more', async () => {
    // What changes stored rows goes through every part that the tests before left unmerged.
    await scene.reopen();
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
    // Of several servers, no one knows on which one the part was.
    const left = (await database.shards()).length > 1 ? [`${projectId}:${first.eventId}`] : [];
    expect(await store.findStored([first])).toEqual(new Set(left));
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

  testInFull('events that were stored before there was an index are put into it', async () => {
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

  testInFull(
    'events whose index knew no names are counted by them once a migration has run, and once',
    async () => {
      start();
      const [staging, production] = [event({ environment: 'staging' }), event({ environment: 'production' })];
      await insert(staging, production);
      const own = `project_id = ${projectId}`;
      await database.command(`DELETE FROM event_index WHERE ${own}`);
      await database.command(
        `INSERT INTO event_index (organization_id, project_id, grouping_hash, occurred_at, event_id, user_hash, received_on)
       SELECT organization_id, project_id, reinterpretAsUInt128(reverse(unhex(grouping_hash))), occurred_at,
         reinterpretAsUInt128(reverse(unhex(event_id))), user_hash, toDate(received_at) FROM events WHERE ${own}`,
      );
      const count = async (text: string, isNegated = false) => {
        const [activity] = await store.countActivity(scope, [issueOf(DEFAULT)], RANGE, DAY_MS, {
          kind: 'text',
          field: { kind: 'column', name: 'environment' },
          matches: [{ kind: 'exact', text }],
          isNegated,
        });
        return activity?.events;
      };
      const migration = new URL(
        '../../src/storage/clickhouse/migrations/0008_event_index_names.sql',
        import.meta.url,
      );
      const [, fill = ''] =
        /^(INSERT INTO event_index[\s\S]*);$/m.exec(readFileSync(migration, 'utf8')) ?? [];
      for (let round = 0; round < 2; round++) await database.command(fill);
      expect([await count('staging'), await count('staging', true), await count('')]).toEqual([1, 1, 0]);
      expect(await store.countActivity(scope, [issueOf(DEFAULT)], RANGE, DAY_MS)).toMatchObject([
        { events: 2 },
      ]);
    },
  );

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
