import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashDistinctId } from '#pipeline/sessions/session-attributes.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { createDeletedEventStore } from '#storage/clickhouse/deleted-data.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createUserActivityStore } from '#storage/clickhouse/users/user-activity-store.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { describeOnClickhouse } from './engines.ts';
import { HOUR_MS, hashOf, MINUTE_MS, makeEvent, NOON_MS, newEventId } from './sample-events.ts';
import { ORGANIZATION, openTelemetry } from './telemetry-suite.ts';

const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
const EVERYWHERE = { range: RANGE, environments: [] };
const PAGE = { ...EVERYWHERE, limit: 10 };
const ANN: UserKey = { kind: 'id', value: 'ann' };
const NOBODY = { id: null, email: null, username: null, ip: null };

describeOnClickhouse('UserActivityStore', (engine) => {
  let telemetry: Awaited<ReturnType<typeof openTelemetry>>;
  let store: ReturnType<typeof createUserActivityStore>;
  let scope: EventScope;
  let projectId: number;
  let events: DigestedEvent[];

  beforeAll(async () => {
    telemetry = await openTelemetry(engine);
    store = createUserActivityStore(telemetry.database);
    const { make, ...own } = telemetry.start();
    ({ scope, projectId } = own);
    const event = (minute: number, title: string, user: Partial<DigestedEvent['user']>, part = {}) =>
      makeEvent({
        organizationId: ORGANIZATION,
        projectId,
        title,
        groupingHash: hashOf(title),
        occurredAt: NOON_MS + minute * MINUTE_MS,
        environment: 'production',
        user: { ...NOBODY, ...user },
        ...part,
      });
    events = [
      event(0, 'checkout', { id: 'ann', email: 'ann@example.com', ip: '203.0.113.1' }),
      event(1, 'checkout', { id: 'ann', ip: '203.0.113.2' }, { environment: 'staging' }),
      event(2, 'cart', { id: 'ann', username: 'annie' }),
      event(3, 'It broke', { id: 'ann' }, { type: 'feedback' }),
      event(4, 'cart', { id: 'bob', ip: '203.0.113.1' }),
      event(5, 'cart', { email: 'Cleo@Example.com' }),
      event(6, 'cart', {}),
      event(-90, 'cart', { id: 'ann' }),
      event(7, 'cart', { id: 'ann' }, { organizationId: ORGANIZATION + 1 }),
    ];
    const eventStore = createEventStore(telemetry.database);
    await eventStore.insertEvents(events, 'users');
    // As when a batch is sent again in other parts: copies until the store merges them.
    await eventStore.insertEvents(events.slice(0, 2), 'users again');
    const user = { ...NOBODY, id: 'ann', email: 'ann@work.example' };
    const session = { distinctIdHash: hashDistinctId('ann'), startedAt: NOON_MS, sessionId: newEventId() };
    const replayId = newEventId();
    await telemetry.insert({
      transactions: [
        make('transactions', {
          user,
          name: '/pay',
          startedAtUs: (NOON_MS + MINUTE_MS) * 1_000,
          status: 'ok',
        }),
        make('transactions', { user, name: '/cart', startedAtUs: NOON_MS * 1_000, status: 'internal_error' }),
        make('transactions', { user: { ...NOBODY, id: 'bob' } }),
      ],
      sessions: [
        make('sessions', { ...session, seq: 0 }),
        make('sessions', {
          ...session,
          seq: 1,
          exited: 0,
          crashed: 1,
          status: 'crashed',
          durationSeconds: 9,
        }),
        make('sessions', { distinctIdHash: hashDistinctId('bob'), sessionId: newEventId() }),
      ],
      replays: [
        make('replays', { replayId, segmentId: 0, userId: 'ann', occurredAt: NOON_MS, errorIds: ['a'] }),
        make('replays', { replayId, segmentId: 1, userId: 'ann', occurredAt: NOON_MS + 5, errorIds: ['a'] }),
        make('replays', { userId: 'bob' }),
      ],
    });
  });
  afterAll(async () => {
    await telemetry?.database.drop();
  });

  test('names are those that were sent beside the one that is asked for, in the range', async () => {
    const names = await store.findNames(scope, ANN, EVERYWHERE);
    expect(names).toMatchObject({
      ids: ['ann'],
      usernames: ['annie'],
      firstSeen: NOON_MS,
      lastSeen: NOON_MS + 3 * MINUTE_MS,
    });
    expect(names?.emails.toSorted()).toEqual(['ann@example.com', 'ann@work.example']);
    expect(names?.ips.toSorted()).toEqual(['203.0.113.1', '203.0.113.2']);
    const office = await store.findNames(scope, { kind: 'ip', value: '203.0.113.1' }, EVERYWHERE);
    expect(office?.ids.toSorted()).toEqual(['ann', 'bob']);
    const staging = { range: RANGE, environments: ['staging'] };
    expect(await store.findNames(scope, ANN, staging)).toMatchObject({ ips: ['203.0.113.2'], emails: [] });
    expect(await store.findNames(scope, { kind: 'email', value: 'ann' }, EVERYWHERE)).toBeNull();
    expect(await store.findNames({ ...scope, projectIds: [] }, ANN, EVERYWHERE)).toBeNull();
  });

  test('groups of errors count each event of the user once', async () => {
    const rows = await store.listIssues(scope, ANN, PAGE);
    expect(rows.map(({ hash, events: count }) => [hash, count])).toEqual([
      [hashOf('It broke'), 1],
      [hashOf('cart'), 1],
      [hashOf('checkout'), 2],
    ]);
    expect(rows[2]).toMatchObject({ projectId, firstSeen: NOON_MS, lastSeen: NOON_MS + MINUTE_MS });
  });

  test('events are the newest first, feedback among them', async () => {
    const rows = await store.listEvents(scope, ANN, { ...PAGE, limit: 3 });
    expect(rows.map(({ title, isFeedback }) => [title, Boolean(isFeedback)])).toEqual([
      ['It broke', true],
      ['cart', false],
      ['checkout', false],
    ]);
    expect(rows[2]).toMatchObject({ environment: 'staging', release: null, at: NOON_MS + MINUTE_MS });
    expect(await store.listEvents(scope, ANN, PAGE)).toHaveLength(4);
  });

  test('transactions with how many there are and failed', async () => {
    const { rows, ...counts } = await store.listTransactions(scope, ANN, { ...PAGE, limit: 1 });
    expect(counts).toEqual({ total: 2, failed: 1 });
    expect(rows).toMatchObject([{ name: '/pay', at: NOON_MS + MINUTE_MS, status: 'ok' }]);
  });

  test('replays are of ids, sessions of hashes, each by all that is known of it', async () => {
    const replays = await store.listReplays(scope, ['ann'], PAGE);
    // A replay began before what it first tells of.
    expect(replays).toMatchObject([{ projectId, at: NOON_MS - 5_000, finishedAt: NOON_MS + 5, errors: 1 }]);
    expect(await store.listReplays(scope, [], PAGE)).toEqual([]);
    expect(await store.listSessions(scope, [hashDistinctId('ann') ?? ''], PAGE)).toMatchObject([
      { release: 'web@1.0.0', ended: 'crashed', durationSeconds: 9, at: NOON_MS, environment: null },
    ]);
  });

  test('people are listed by the first thing that is known of them, found by part of any name', async () => {
    const list = async (text: string, key: UserKey | null = null) =>
      (await store.listUsers(scope, { ...PAGE, text, key, isQuick: text !== '' })).map(
        ({ kind, value, errors, issues, transactions }) => [kind, value, errors, issues, transactions],
      );
    const cleo = ['email', 'Cleo@Example.com', 1, 1, 0];
    const bob = ['id', 'bob', 1, 1, 1];
    const [first, second, third] = await list('');
    expect([first, second]).toEqual([cleo, bob]);
    expect(third?.slice(0, 2)).toEqual(['id', 'ann']);
    expect(await list('cleo@example')).toEqual([cleo]);
    expect((await list('203.0.113.1')).map(([, value]) => value)).toEqual(['bob', 'ann']);
    expect((await list('', { kind: 'username', value: 'annie' })).map(([, value]) => value)).toEqual(['ann']);
    expect(await list('nobody')).toEqual([]);
  });

  test('a part of a name is found whatever its case and script, in whatever name it may be', async () => {
    const { start, database } = telemetry;
    const { scope: own, projectId: ownId } = start();
    const user = { ...NOBODY, username: 'Zoë Ünal', ip: '2001:db8::beef' };
    const event = { organizationId: ORGANIZATION, projectId: ownId, occurredAt: NOON_MS, user };
    await createEventStore(database).insertEvents([makeEvent(event)], 'one user');
    const isFound = async (text: string) =>
      (await store.listUsers(own, { ...PAGE, text, key: null, isQuick: false })).length === 1;
    for (const text of ['zOË ün', 'NAL', 'BEEF', '8::b', '2001:DB8'])
      expect([text, await isFound(text)]).toEqual([text, true]);
    for (const text of ['Zoe', 'beefy', '8::g']) expect([text, await isFound(text)]).toEqual([text, false]);
  });

  test('people are no longer listed once what names them is deleted, whatever order it lies in', async () => {
    const { start, database } = telemetry;
    const { scope: own, projectId: ownId } = start();
    const user = { ...NOBODY, id: 'dora', email: 'dora@example.com' };
    const event = (title: string, part: Partial<DigestedEvent['user']>) =>
      makeEvent({
        organizationId: ORGANIZATION,
        projectId: ownId,
        title,
        groupingHash: hashOf(title),
        occurredAt: NOON_MS,
        user: { ...NOBODY, ...part },
      });
    await createEventStore(database).insertEvents(
      [
        event('kept', { username: 'eve' }),
        event('kept', user),
        event('deleted', user),
        event('deleted', user),
      ],
      'deleted users',
    );
    const list = async () =>
      (await store.listUsers(own, { ...PAGE, text: '', key: null, isQuick: false })).map(
        ({ kind, value, errors, issues }) => [kind, value, errors, issues],
      );
    expect(await list()).toEqual([
      ['id', 'dora', 3, 2],
      ['username', 'eve', 1, 1],
    ]);
    await createDeletedEventStore(database).deleteEvents({
      id: 1,
      organizationId: ORGANIZATION,
      projectId: ownId,
      hashes: [hashOf('deleted')],
      requestedAt: Date.now(),
    });
    expect(await list()).toEqual([
      ['id', 'dora', 1, 1],
      ['username', 'eve', 1, 1],
    ]);
    // The rows by user are read here: they have to have gone with the rows themselves. A shard without any refuses.
    if ((await database.shards()).length > 1) return;
    const byUser = await database.query<{ rows: number }>(
      `SELECT count() AS rows FROM (SELECT user_id FROM events WHERE project_id = {projectId:UInt64} AND user_id = 'dora'
         SETTINGS force_optimize_projection_name = 'by_user')`,
      { projectId: ownId },
    );
    expect(byUser).toEqual([{ rows: 1 }]);
  });
});
