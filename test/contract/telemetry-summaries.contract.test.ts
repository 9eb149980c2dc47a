import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inEnvironments } from '#product/search/read-issue-search.ts';
import type { DigestedCheckIn, TelemetryRows } from '#protocol/telemetry.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import type { EventFilter, EventScope } from '#storage/ports/events.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import {
  REPLAY_SORTS,
  type ReplayFilter,
  type ReplaySort,
  type TelemetryCursor,
  type TelemetryStore,
} from '#storage/ports/telemetry.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { describeOnClickhouse } from './engines.ts';
import type { MakeRow } from './every-kind.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, makeEvent, NOON_MS, newEventId } from './sample-events.ts';
import { ORGANIZATION, openTelemetry } from './telemetry-suite.ts';

const NOON_US = NOON_MS * 1_000;

describeOnClickhouse('TelemetrySummaries', (engine) => {
  let telemetry: Awaited<ReturnType<typeof openTelemetry>>;
  let database: typeof telemetry.database;
  let store: TelemetryStore;
  let projectId: number;
  let scope: EventScope;
  let make: MakeRow;

  beforeAll(async () => {
    telemetry = await openTelemetry(engine);
    ({ database, store } = telemetry);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const start = () => {
    ({ projectId, scope, make } = telemetry.start());
  };
  const insert = (rows: Partial<TelemetryRows>) => telemetry.insert(rows);

  test('a trace has its spans and its errors, oldest first, each once, up to a bound', async () => {
    start();
    const traceId = newEventId();
    const spans = [3, 1, 2].map((at) => make('spans', { traceId, startedAtUs: NOON_US + at }));
    const events = createEventStore(database);
    const error = makeEvent({ organizationId: ORGANIZATION, projectId, traceId });
    const earlier = makeEvent({ organizationId: ORGANIZATION, projectId, traceId, occurredAt: NOON_MS - 1 });
    for (let copy = 0; copy < 2; copy++) {
      await insert({ spans: [...spans, make('spans')] });
      await events.insertEvents(
        [error, earlier, makeEvent({ organizationId: ORGANIZATION, projectId })],
        `trace ${copy}`,
      );
    }
    const whole = await store.findTrace(scope, traceId, { spans: 3, errors: 2 });
    expect(whole.spans).toEqual([spans[1], spans[2], spans[0]]);
    expect(whole.errors.map(({ eventId }) => eventId)).toEqual([earlier.eventId, error.eventId]);
    expect([whole.hasMoreSpans, whole.hasMoreErrors]).toEqual([false, false]);
    const cut = await store.findTrace(scope, traceId, { spans: 2, errors: 1 });
    expect([cut.spans.length, cut.hasMoreSpans, cut.errors.length, cut.hasMoreErrors]).toEqual([
      2,
      true,
      1,
      true,
    ]);
  });

  test('a trace is counted by kind, each row once, with its largest operations and transactions', async () => {
    start();
    const traceId = newEventId();
    const [large, small] = [newEventId(), newEventId()];
    const spans = [
      make('spans', { traceId, op: 'db', transactionId: large }),
      make('spans', { traceId, op: 'db', transactionId: large }),
      make('spans', { traceId, op: 'http', transactionId: small }),
      make('spans', { traceId, op: '', transactionId: null }),
    ];
    const rows = {
      spans: [...spans, make('spans')],
      logs: [make('logs', { traceId }), make('logs')],
      metrics: [make('metrics', { traceId }), make('metrics', { traceId }), make('metrics')],
    };
    const error = makeEvent({ organizationId: ORGANIZATION, projectId, traceId });
    for (let copy = 0; copy < 2; copy++) {
      await insert(rows);
      await createEventStore(database).insertEvents([error], `counted ${copy}`);
    }
    const whole = {
      spans: 4,
      errors: 1,
      logs: 1,
      metrics: 2,
      operations: [
        { op: 'db', spans: 2 },
        { op: 'http', spans: 1 },
      ],
      transactions: [
        { eventId: large, spans: 2 },
        { eventId: small, spans: 1 },
      ],
    };
    expect(await store.countTrace(scope, traceId, 10)).toEqual(whole);
    expect(await store.countTrace(scope, traceId, 1)).toEqual({
      ...whole,
      operations: whole.operations.slice(0, 1),
      transactions: whole.transactions.slice(0, 1),
    });
    const nothing = { spans: 0, errors: 0, logs: 0, metrics: 0, operations: [], transactions: [] };
    expect(await store.countTrace(scope, newEventId(), 10)).toEqual(nothing);
    expect(await store.countTrace(scope, HOSTILE_TEXT, 10)).toEqual(nothing);
    expect(await store.countTrace({ ...scope, projectIds: [] }, traceId, 10)).toEqual(nothing);
    expect(await store.countTrace({ ...scope, organizationId: 8 }, traceId, 10)).toEqual(nothing);
  });

  describe('check-ins', () => {
    test('are put together from their updates, in whichever order these arrived', async () => {
      start();
      const checkInId = newEventId();
      const config = { schedule: { type: 'interval', value: 1, unit: 'hour' } };
      const begun = make('checkIns', { checkInId, status: 'in_progress', monitorConfig: config });
      const ended = make('checkIns', {
        checkInId,
        status: 'error',
        occurredAt: NOON_MS + 5_000,
        durationMs: 4_900,
        traceId: newEventId(),
      });
      // Arrived last, though it was sent before the end.
      const late = make('checkIns', { checkInId, status: 'in_progress', occurredAt: NOON_MS + 9_000 });
      await insert({ checkIns: [late] });
      await insert({ checkIns: [ended, begun] });
      await insert({ checkIns: [begun] });
      const query = { monitorSlug: 'nightly', limit: 5, before: null, range: null };
      expect(await store.listCheckIns(scope, query)).toEqual({
        rows: [
          {
            projectId,
            checkInId,
            monitorSlug: 'nightly',
            environment: 'production',
            status: 'error',
            durationMs: 4_900,
            traceId: ended.traceId,
            monitorConfig: config,
            startedAt: NOON_MS,
            updatedAt: NOON_MS + 9_000,
          },
        ],
        next: null,
      });
      expect((await store.find('checkIns', scope, checkInId))?.status).toBe('error');
      expect((await store.listCheckIns(scope, { ...query, monitorSlug: 'other' })).rows).toEqual([]);
    });

    test('an end without an id is that of the latest one in progress', async () => {
      start();
      const checkInId = '0'.repeat(32);
      const begun = make('checkIns', { checkInId, status: 'in_progress' });
      const ended = make('checkIns', {
        checkInId,
        status: 'ok',
        occurredAt: NOON_MS + 1_000,
        durationMs: 900,
      });
      const known = newEventId();
      const again = make('checkIns', {
        checkInId: known,
        status: 'in_progress',
        occurredAt: NOON_MS + 2_000,
      });
      const failed = make('checkIns', { checkInId, status: 'error', occurredAt: NOON_MS + 3_000 });
      const elsewhere = make('checkIns', {
        checkInId,
        status: 'ok',
        environment: 'staging',
        occurredAt: NOON_MS + 4_000,
      });
      const open = make('checkIns', { checkInId, status: 'in_progress', occurredAt: NOON_MS + 5_000 });
      // In any order, and once more after a crash.
      await insert({ checkIns: [ended, elsewhere, open] });
      await insert({ checkIns: [failed, again, begun] });
      await insert({ checkIns: [begun, ended] });
      const expected = [
        [checkInId, 'production', 'in_progress', 5_000, 5_000],
        [checkInId, 'staging', 'ok', 4_000, 4_000],
        [known, 'production', 'error', 2_000, 3_000],
        [checkInId, 'production', 'ok', 0, 1_000],
      ];
      for (const limit of [1, 2, 10]) {
        const seen: unknown[] = [];
        for (let before: TelemetryCursor | null = null, more = true; more; ) {
          const page = await store.listCheckIns(scope, {
            monitorSlug: 'nightly',
            limit,
            before,
            range: null,
          });
          seen.push(
            ...page.rows.map((row) => [
              row.checkInId,
              row.environment,
              row.status,
              row.startedAt - NOON_MS,
              row.updatedAt - NOON_MS,
            ]),
          );
          before = page.next;
          more = before !== null;
        }
        expect(seen).toEqual(expected);
      }
    });

    test('those that were sent without an id and without a beginning stay apart', async () => {
      start();
      const checkInId = '0'.repeat(32);
      await insert({
        checkIns: [
          make('checkIns', { checkInId, status: 'ok' }),
          make('checkIns', { checkInId, status: 'error', occurredAt: NOON_MS + 1_000 }),
          make('checkIns', { checkInId, status: 'ok', occurredAt: NOON_MS + 2_000 }),
        ],
      });
      const query = { monitorSlug: 'nightly', limit: 5, before: null, range: null };
      const { rows } = await store.listCheckIns(scope, query);
      expect(rows.map(({ status, startedAt }) => [status, startedAt - NOON_MS])).toEqual([
        ['ok', 2_000],
        ['error', 1_000],
        ['ok', 0],
      ]);
    });

    testInFull('pages neither skip nor repeat, however the updates lie', async () => {
      start();
      const ids = Array.from({ length: 13 }, () => newEventId());
      const startOf = (index: number) => NOON_MS - (index % 5) * 6 * HOUR_MS;
      const checkIns = ids.flatMap((checkInId, index) =>
        (['in_progress', 'in_progress', 'ok'] as const).map((status, update) =>
          make('checkIns', {
            checkInId,
            status,
            monitorSlug: index % 2 === 0 ? 'even' : 'odd',
            // Some updates at the moment of the first, some beside other check-ins.
            occurredAt: startOf(index) + (update === 1 ? 0 : update) * (index % 3) * 3 * HOUR_MS,
          }),
        ),
      );
      await insert({ checkIns });
      const byStart = await readCheckInPages(null, 100);
      expect([...byStart].sort()).toEqual([...ids].sort());
      const starts = byStart.map((id) => startOf(ids.indexOf(id)));
      expect(starts).toEqual([...starts].sort((a, b) => b - a));
      for (const limit of [1, 2, 5]) expect(await readCheckInPages(null, limit)).toEqual(byStart);
      const odd = byStart.filter((id) => ids.indexOf(id) % 2 === 1);
      expect(await readCheckInPages('odd', 2)).toEqual(odd);
    });

    async function readCheckInPages(monitorSlug: string | null, limit: number): Promise<string[]> {
      const seen: string[] = [];
      let before: TelemetryCursor | null = null;
      do {
        const page: Awaited<ReturnType<TelemetryStore['listCheckIns']>> = await store.listCheckIns(scope, {
          monitorSlug,
          limit,
          before,
          range: null,
        });
        seen.push(...page.rows.map((row) => row.checkInId));
        before = page.next;
      } while (before !== null);
      return seen;
    }

    test('count once in the bucket that they began in, with the status that they had last', async () => {
      start();
      const [one, two] = [newEventId(), newEventId()];
      const noId = { checkInId: '0'.repeat(32), monitorSlug: 'counted' };
      const row = (fields: Partial<DigestedCheckIn>) =>
        make('checkIns', { monitorSlug: 'counted', durationMs: null, ...fields });
      await insert({
        checkIns: [
          row({ checkInId: one, status: 'in_progress' }),
          row({ checkInId: one, status: 'ok', occurredAt: NOON_MS + 90_000 }),
          // What ends after its time was over has timed out.
          row({ checkInId: two, status: 'in_progress', occurredAt: NOON_MS + 1 }),
          row({ checkInId: two, status: 'timeout', occurredAt: NOON_MS + 60_000 }),
          row({ checkInId: two, status: 'ok', occurredAt: NOON_MS + 70_000 }),
          row({ ...noId, status: 'in_progress', occurredAt: NOON_MS + 61_000 }),
          row({ ...noId, status: 'error', occurredAt: NOON_MS + 61_500 }),
          row({ checkInId: newEventId(), status: 'missed', environment: 'dev', occurredAt: NOON_MS }),
          row({ checkInId: newEventId(), status: 'ok', occurredAt: NOON_MS - 1 }),
          make('checkIns', { monitorSlug: 'other', status: 'ok' }),
        ],
      });
      const counts = await store.countCheckIns(scope, {
        monitors: [{ projectId, slug: 'counted' }],
        range: { fromMs: NOON_MS, toMs: NOON_MS + 120_000 },
        bucketMs: 60_000,
      });
      const of = { projectId, monitorSlug: 'counted', environment: 'production', count: 1 };
      expect(counts).toEqual([
        { ...of, environment: 'dev', bucket: 0, status: 'missed', timed: 0, durationMs: 0 },
        { ...of, bucket: 0, status: 'ok', timed: 1, durationMs: 90_000 },
        { ...of, bucket: 0, status: 'timeout', timed: 0, durationMs: 0 },
        { ...of, bucket: 1, status: 'error', timed: 1, durationMs: 500 },
      ]);
    });
  });

  describe('replays', () => {
    test('are put together from their segments', async () => {
      start();
      const replayId = newEventId();
      const [one, two, trace] = [newEventId(), newEventId(), newEventId()];
      await insert({
        replays: [
          make('replays', {
            replayId,
            segmentId: 2,
            startedAt: null,
            occurredAt: NOON_MS + 10_000,
            urls: ['/b', '/c'],
            errorIds: [two, one],
            release: 'web@2',
            userId: 'ada',
          }),
        ],
      });
      await insert({
        replays: [
          make('replays', {
            replayId,
            urls: ['/a', '/b'],
            errorIds: [one],
            traceIds: [trace],
            release: 'web@1',
          }),
        ],
      });
      await insert({
        replays: [make('replays', { replayId, segmentId: 1, urls: [], occurredAt: NOON_MS + 1 })],
      });
      const summary = {
        projectId,
        replayId,
        startedAt: NOON_MS - 5_000,
        finishedAt: NOON_MS + 10_000,
        segments: 3,
        replayType: 'session',
        urls: ['/a', '/b', '/c'],
        errorIds: [one, two],
        traceIds: [trace],
        releases: ['web@1', 'web@2'],
        environment: null,
        platform: 'javascript',
        userId: 'ada',
        userEmail: null,
        userUsername: null,
        userIp: null,
        browserName: null,
        browserVersion: null,
        osName: null,
        osVersion: null,
        deadClicks: 0,
        rageClicks: 0,
      };
      expect(await store.findReplay(scope, replayId)).toEqual(summary);
      expect(await store.listReplays(scope, { limit: 5, before: null, range: null })).toEqual({
        rows: [summary],
        next: null,
      });
      expect(await store.findReplay(scope, newEventId())).toBeNull();
    });

    describe('a search', () => {
      const ALL: ReplayFilter = { text: '', environments: [], having: [], durationMsMin: 0 };
      const [calm, angry, broken] = [newEventId(), newEventId(), newEventId()];
      const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
      const list = async (query: { filter?: Partial<ReplayFilter>; sort?: ReplaySort; limit?: number }) => {
        const { filter = {}, sort, limit = 10 } = query;
        const ids: string[] = [];
        let before: TelemetryCursor | null = null;
        do {
          const page: Awaited<ReturnType<TelemetryStore['listReplays']>> = await store.listReplays(scope, {
            limit,
            before,
            range,
            filter: { ...ALL, ...filter },
            sort,
          });
          ids.push(...page.rows.map(({ replayId }) => replayId));
          before = page.next;
        } while (before !== null);
        return ids;
      };

      beforeEach(async () => {
        start();
        const segment = (replayId: string, segmentId: number, more: object) =>
          make('replays', { replayId, segmentId, occurredAt: NOON_MS + segmentId * 30_000, ...more });
        await insert({
          replays: [
            segment(calm, 0, {
              userEmail: 'Ada@example.com',
              browserName: 'Firefox',
              environment: 'production',
            }),
            segment(angry, 0, { urls: ['https://shop.example/checkout'] }),
            segment(angry, 4, { userId: '42', environment: 'staging' }),
            // Kept in the browser until its error.
            segment(broken, 1, { errorIds: [newEventId(), newEventId()], startedAt: NOON_MS - 60_000 }),
          ],
          replaySegments: [
            make('replaySegments', { replayId: angry, segmentId: 0, deadClicks: 2, rageClicks: 1 }),
            make('replaySegments', { replayId: angry, segmentId: 4, deadClicks: 3 }),
            make('replaySegments', { replayId: calm }),
            make('replaySegments', { replayId: broken, deadClicks: 1 }),
          ],
        });
        // Sent again, nothing counts twice.
        await insert({
          replaySegments: [make('replaySegments', { replayId: angry, segmentId: 4, deadClicks: 3 })],
        });
      });

      test('finds users, URLs, browsers and IDs, ignoring case, and replays with something in them', async () => {
        expect(await list({ filter: { text: 'ada@' } })).toEqual([calm]);
        expect(await list({ filter: { text: 'CHECKOUT' } })).toEqual([angry]);
        expect(await list({ filter: { text: 'firefox' } })).toEqual([calm]);
        expect(await list({ filter: { text: broken.toUpperCase() } })).toEqual([broken]);
        expect(await list({ filter: { text: '%' } })).toEqual([]);
        expect(await list({ filter: { environments: ['staging', 'production'] } })).toEqual(
          [calm, angry].toSorted().toReversed(),
        );
        expect(await list({ filter: { having: ['errors'] } })).toEqual([broken]);
        expect(await list({ filter: { having: ['rageClicks', 'deadClicks'] } })).toEqual([angry]);
        for (const limit of [1, 10]) {
          expect(await list({ filter: { durationMsMin: 60_000 }, limit })).toEqual([broken, angry]);
          expect(await list({ filter: { environments: ['staging'] }, limit })).toEqual([angry]);
        }
        expect(await list({ filter: { durationMsMin: 100_000 } })).toEqual([angry]);
      });

      test.each(IS_FULL ? [1, 10] : [1])(
        'orders pages of %i by what is asked for, and none is left out',
        async (limit) => {
          const pages = Object.fromEntries(
            await Promise.all(REPLAY_SORTS.map(async (sort) => [sort, await list({ sort, limit })] as const)),
          );
          for (const sort of REPLAY_SORTS) expect(pages[sort], sort).toHaveLength(3);
          expect(pages.deadClicks?.slice(0, 2)).toEqual([angry, broken]);
          expect(pages.rageClicks?.[0]).toBe(angry);
          expect(pages.duration?.[0]).toBe(angry);
          expect(pages.errors?.[0]).toBe(broken);
          expect(pages.started?.[0]).toBe(broken);
        },
      );

      test('a replay is put together with its clicks, and leaves nothing when it is deleted', async () => {
        expect(await store.findReplay(scope, angry)).toMatchObject({
          deadClicks: 5,
          rageClicks: 1,
          userId: '42',
        });
        await store.deleteReplay({ organizationId: 8, projectId, replayId: angry });
        expect(await store.findReplay(scope, angry)).not.toBeNull();
        await store.deleteReplay({ organizationId: ORGANIZATION, projectId, replayId: angry });
        expect(await store.findReplay(scope, angry)).toBeNull();
        expect(await store.listReplaySegments(scope, angry)).toEqual([]);
        expect(await list({})).toEqual([broken, calm]);
      });
    });

    test('the errors of a replay are those that are stored, oldest first, once', async () => {
      start();
      const events = createEventStore(database);
      const [older, newer] = [0, 1].map((index) =>
        makeEvent({ organizationId: ORGANIZATION, projectId, occurredAt: NOON_MS + index }),
      );
      await events.insertEvents([newer!, older!], `errors ${projectId}`);
      const ids = [newer!.eventId, newEventId(), older!.eventId, 'no id'];
      const found = await store.listReplayErrors(scope, ids);
      expect(found.map(({ eventId }) => eventId)).toEqual([older!.eventId, newer!.eventId]);
      expect(await store.listReplayErrors({ ...scope, organizationId: 8 }, ids)).toEqual([]);
      expect(await store.listReplayErrors(scope, [])).toEqual([]);
    });

    testInFull(
      'pages neither skip nor repeat, and a replay stands in the range in which it began',
      async () => {
        start();
        const ids = Array.from({ length: 11 }, () => newEventId());
        const startOf = (index: number) => NOON_MS - (index % 4) * 3 * DAY_MS;
        const replays = ids.flatMap((replayId, index) =>
          [0, 1, 2].map((segmentId) =>
            make('replays', { replayId, segmentId, occurredAt: startOf(index) + segmentId * 20 * 60_000 }),
          ),
        );
        await insert({ replays });
        await insert({ replays: replays.slice(5, 20) });
        const expected = [...ids].sort(
          (a, b) => startOf(ids.indexOf(b)) - startOf(ids.indexOf(a)) || (a < b ? 1 : -1),
        );
        for (const limit of [1, 3, 100]) {
          const seen: string[] = [];
          let before: TelemetryCursor | null = null;
          do {
            const page: Awaited<ReturnType<TelemetryStore['listReplays']>> = await store.listReplays(scope, {
              limit,
              before,
              range: null,
            });
            seen.push(...page.rows.map((row) => row.replayId));
            before = page.next;
          } while (before !== null);
          expect(seen).toEqual(expected);
        }
        const range = { fromMs: NOON_MS + 1, toMs: NOON_MS + DAY_MS };
        expect((await store.listReplays(scope, { limit: 5, before: null, range })).rows).toEqual([]);
      },
    );
  });

  test('replays of an issue are those that recorded one of its errors, the newest first', async () => {
    start();
    const events = createEventStore(database);
    const [mine, other] = ['mine', 'other'].map((name) =>
      makeEvent({ organizationId: ORGANIZATION, projectId, groupingHash: hashOf(name) }),
    );
    await events.insertEvents([mine!, other!], `replays ${projectId}`);
    const [older, newer] = [newEventId(), newEventId()];
    await insert({
      replays: [
        make('replays', { replayId: older, errorIds: [mine!.eventId] }),
        make('replays', { replayId: older, segmentId: 1, errorIds: [newEventId(), mine!.eventId] }),
        make('replays', { replayId: newer, errorIds: [mine!.eventId], occurredAt: NOON_MS + 1_000 }),
        make('replays', { errorIds: [other!.eventId] }),
        make('replays'),
      ],
    });
    const issue = { issueId: 1, projectId, hashes: [hashOf('mine')] };
    expect(await store.listIssueReplays(scope, issue, 5)).toEqual([newer, older]);
    expect(await store.listIssueReplays(scope, issue, 1)).toEqual([newer]);
    expect(await store.listIssueReplays(scope, { ...issue, hashes: [] }, 5)).toEqual([]);
    expect(await store.listIssueReplays({ ...scope, projectIds: [] }, issue, 5)).toEqual([]);
    expect(await store.listIssueReplays({ ...scope, organizationId: 8 }, issue, 5)).toEqual([]);
  });

  test('release health counts each session once, by its last update, and adds up aggregates', async () => {
    start();
    const user = { a: 'a'.repeat(16), b: 'b'.repeat(16) };
    const crashing = newEventId();
    const healthy = newEventId();
    const aggregate = make('sessions', {
      kind: 'aggregate',
      sessionId: null,
      exited: 10,
      errored: 3,
      crashed: 2,
      abnormal: 1,
      unhandled: 4,
      distinctIdHash: user.b,
    });
    // The update that counts is neither the first nor the last that is read.
    const counting = { rowId: '5'.repeat(32), seq: 5, status: 'crashed', exited: 0, crashed: 1 } as const;
    const rows = [
      make('sessions', { sessionId: crashing, rowId: '0'.repeat(32), seq: 0, distinctIdHash: user.a }),
      make('sessions', { sessionId: crashing, ...counting, distinctIdHash: user.a }),
      make('sessions', { sessionId: crashing, rowId: 'f'.repeat(32), seq: 3, exited: 0, errored: 1 }),
      make('sessions', { sessionId: healthy, seq: 1, distinctIdHash: user.a, environment: 'dev' }),
      make('sessions', { release: 'web@2.0.0' }),
      make('sessions', { startedAt: NOON_MS + HOUR_MS }),
      aggregate,
    ];
    await insert({ sessions: rows });
    await insert({ sessions: [rows[0]!, aggregate] });
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const count = (environments: readonly string[], limit = 10) =>
      store.countReleaseHealth(scope, { range, environments, releases: null, limit });
    const first = { projectId, release: 'web@1.0.0' };
    const second = { projectId, release: 'web@2.0.0' };
    const none = { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0, users: 0, crashedUsers: 0 };
    expect(await count([])).toEqual([
      { ...first, exited: 11, errored: 3, crashed: 3, abnormal: 1, unhandled: 4, users: 2, crashedUsers: 2 },
      { ...second, ...none, exited: 1 },
    ]);
    expect(await count(['dev'])).toEqual([{ ...first, ...none, exited: 1, users: 1 }]);
    expect(await count(['dev', 'nowhere'])).toHaveLength(1);
    expect(await count(['nowhere'])).toEqual([]);
    expect(await count([], 1)).toHaveLength(1);
    const ofReleases = (releases: readonly string[]) =>
      store.countReleaseHealth(scope, { range, environments: [], releases, limit: 1 });
    expect(await ofReleases(['web@2.0.0', 'web@3.0.0'])).toEqual([{ ...second, ...none, exited: 1 }]);
    const sessions = (query: Partial<Parameters<typeof store.countSessions>[1]>) =>
      store.countSessions(scope, {
        range,
        expression: EVERYTHING,
        groupBy: ['release'],
        groups: null,
        bucketMs: null,
        limit: 10,
        ...query,
      });
    const hung = { bucket: 0, hungUsers: 0, hungForegroundUsers: 0, aggregated: 0, durations: null };
    const counts = {
      exited: 11,
      errored: 3,
      crashed: 3,
      abnormal: 1,
      unhandled: 4,
      users: 2,
      crashedUsers: 2,
    };
    expect(await sessions({})).toEqual([
      { keys: ['web@1.0.0'], ...hung, ...counts, aggregated: 20 },
      { keys: ['web@2.0.0'], ...hung, ...none, exited: 1 },
    ]);
    expect(await sessions({ groupBy: [], expression: inEnvironments(['dev']) })).toEqual([
      { keys: [], ...hung, ...none, exited: 1, users: 1 },
    ]);
    const wide = { fromMs: NOON_MS, toMs: NOON_MS + 2 * HOUR_MS };
    const points = await sessions({
      range: wide,
      groups: [['web@1.0.0']],
      bucketMs: HOUR_MS,
      groupBy: ['release'],
    });
    expect(points.map(({ keys, bucket, exited }) => [keys, bucket, exited])).toEqual([
      [['web@1.0.0'], 0, 11],
      [['web@1.0.0'], 1, 1],
    ]);
    expect(
      (await sessions({ groupBy: ['project', 'environment'], limit: 1 })).map(({ keys }) => keys[0]),
    ).toEqual([String(projectId)]);
    const projectSessions = (environments: readonly string[]) =>
      store.countProjectSessions(scope, { range, environments });
    expect(await projectSessions([])).toEqual(new Map([[projectId, 23]]));
    expect(await projectSessions(['dev'])).toEqual(new Map([[projectId, 1]]));
  });

  test('durations are of sessions that ended as usual, by their last update', async () => {
    start();
    const long = newEventId();
    await insert({
      sessions: [
        make('sessions', { sessionId: long, seq: 0, durationSeconds: 1 }),
        make('sessions', { sessionId: long, seq: 1, status: 'exited', durationSeconds: 90 }),
        make('sessions', { sessionId: newEventId(), status: 'exited', durationSeconds: 10 }),
        make('sessions', {
          sessionId: newEventId(),
          status: 'crashed',
          exited: 0,
          crashed: 1,
          durationSeconds: 5_000,
        }),
        make('sessions', { sessionId: newEventId(), release: 'web@2.0.0', durationSeconds: 7 }),
      ],
    });
    const groups = await store.countSessions(scope, {
      range: { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS },
      ...{ expression: EVERYTHING, groupBy: ['release'], groups: null, bucketMs: null, limit: 10 },
    });
    expect(groups.map(({ durations }) => durations)).toEqual([
      expect.objectContaining({ avg: 50, max: 90, p50: 50 }),
      null,
    ]);
  });

  test('the outline of a trace has each span once, and errors with the span in which they happened', async () => {
    start();
    const traceId = newEventId();
    const long = 'x'.repeat(700);
    const [root, child] = [
      make('spans', { traceId, startedAtUs: NOON_US, parentSpanId: null, name: long }),
      make('spans', { traceId, startedAtUs: NOON_US + 5, durationUs: 7, op: 'db' }),
    ];
    await insert({ spans: [child, root, make('spans')] });
    await insert({ spans: [child] });
    const error = makeEvent({ organizationId: ORGANIZATION, projectId, traceId });
    const payload = { ...error.payload, contexts: { trace: { trace_id: traceId, span_id: child.spanId } } };
    await createEventStore(database).insertEvents([{ ...error, payload }], `outline ${projectId}`);
    const outline = await store.outlineTrace(scope, traceId, { spans: 2, errors: 1 });
    const { parentSpanId, isSegment, op, status, kind, durationUs, name, spanId } = child;
    expect(outline.spans).toEqual([
      expect.objectContaining({ spanId: root.spanId, parentSpanId: null, name: 'x'.repeat(500) }),
      {
        projectId,
        spanId,
        parentSpanId,
        isSegment,
        op,
        name,
        status,
        kind,
        startedAtUs: NOON_US + 5,
        durationUs,
      },
    ]);
    expect(outline.errors).toEqual([
      expect.objectContaining({ eventId: error.eventId, spanId: child.spanId }),
    ]);
    expect([outline.hasMoreSpans, outline.hasMoreErrors]).toEqual([false, false]);
    expect(await store.outlineTrace(scope, traceId, { spans: 1, errors: 1 })).toMatchObject({
      spans: [{ spanId: root.spanId }],
      hasMoreSpans: true,
    });
    expect(await store.findSpan(scope, traceId, child.spanId)).toEqual(child);
    for (const outside of [
      { ...scope, projectIds: [] },
      { ...scope, organizationId: 8 },
    ]) {
      expect((await store.outlineTrace(outside, traceId, { spans: 2, errors: 1 })).spans).toEqual([]);
      expect(await store.findSpan(outside, traceId, child.spanId)).toBeNull();
    }
    expect(await store.findSpan(scope, newEventId(), child.spanId)).toBeNull();
    expect(await store.findSpan(scope, traceId, HOSTILE_TEXT)).toBeNull();
    expect((await store.outlineTrace(scope, HOSTILE_TEXT, { spans: 2, errors: 1 })).spans).toEqual([]);
  });

  test('feedback about an issue is what names one of its events', async () => {
    start();
    const events = createEventStore(database);
    const [mine, other] = ['mine', 'other'].map((name) =>
      makeEvent({ organizationId: ORGANIZATION, projectId, groupingHash: hashOf(name) }),
    );
    await events.insertEvents([mine!, other!], `feedback ${projectId}`);
    const about = make('feedback', { associatedEventId: mine!.eventId });
    await insert({
      feedback: [about, make('feedback', { associatedEventId: other!.eventId }), make('feedback')],
    });
    const issue = { issueId: 1, projectId, hashes: [hashOf('mine')] };
    const query = { limit: 5, before: null };
    expect(await store.listEventFeedback(scope, mine!.eventId)).toEqual([about]);
    expect(await store.listEventFeedback({ ...scope, projectIds: [] }, mine!.eventId)).toEqual([]);
    expect(await store.listEventFeedback({ ...scope, organizationId: 8 }, mine!.eventId)).toEqual([]);
    expect(await store.listEventFeedback(scope, 'no id')).toEqual([]);
    expect(await store.listIssueFeedback(scope, issue, query)).toEqual({ rows: [about], next: null });
    const of = (fromMs: number, toMs: number) => ({ ...query, filter: { range: { fromMs, toMs } } });
    expect((await store.listIssueFeedback(scope, issue, of(NOON_MS, NOON_MS + 1))).rows).toEqual([about]);
    expect((await store.listIssueFeedback(scope, issue, of(NOON_MS + 1, NOON_MS + 2))).rows).toEqual([]);
    expect((await store.listIssueFeedback(scope, { ...issue, hashes: [] }, query)).rows).toEqual([]);
    expect((await store.listIssueFeedback({ ...scope, projectIds: [] }, issue, query)).rows).toEqual([]);
    expect((await store.listIssueFeedback({ ...scope, organizationId: 8 }, issue, query)).rows).toEqual([]);
  });

  test('attachments of an issue are those of its events, the last to arrive first', async () => {
    start();
    const events = createEventStore(database);
    const [mine, other] = ['mine', 'other'].map((name) =>
      makeEvent({
        organizationId: ORGANIZATION,
        projectId,
        groupingHash: hashOf(name),
        environment: 'staging',
      }),
    );
    await events.insertEvents([mine!, other!], `attachments ${projectId}`);
    const first = make('attachments', { eventId: mine!.eventId, receivedAt: NOON_MS });
    const last = make('attachments', { eventId: mine!.eventId, receivedAt: NOON_MS + HOUR_MS });
    await insert({ attachments: [first, last, make('attachments', { eventId: other!.eventId })] });
    await insert({ attachments: [first] });
    const issue = { issueId: 1, projectId, hashes: [hashOf('mine')] };
    const where = (name: 'environment' | 'level' | 'id', text: string): EventFilter => ({
      range: null,
      expression: {
        kind: 'text',
        field: { kind: 'column', name },
        matches: [{ kind: 'exact', text }],
        isNegated: false,
      },
    });
    const filtered = async (...filter: Parameters<typeof where>) =>
      store.listIssueAttachments(scope, issue, { limit: 5, before: null, filter: where(...filter) });
    expect((await filtered('environment', 'staging')).rows).toEqual([last, first]);
    expect((await filtered('environment', 'production')).rows).toEqual([]);
    // What the index of events does not know.
    expect((await filtered('level', mine!.level)).rows).toEqual([last, first]);
    expect((await filtered('level', 'debug')).rows).toEqual([]);
    expect((await filtered('id', mine!.eventId)).rows).toEqual([last, first]);
    expect((await filtered('id', other!.eventId)).rows).toEqual([]);
    const list = async (in_ = scope, of = issue, before: TelemetryCursor | null = null, limit = 5) =>
      store.listIssueAttachments(in_, of, { limit, before });
    expect(await list()).toEqual({ rows: [last, first], next: null });
    const page = await list(scope, issue, null, 1);
    expect(page.rows).toEqual([last]);
    expect((await list(scope, issue, page.next)).rows).toEqual([first]);
    expect((await list(scope, { ...issue, hashes: [] })).rows).toEqual([]);
    expect((await list({ ...scope, projectIds: [] })).rows).toEqual([]);
    expect((await list({ ...scope, organizationId: 8 })).rows).toEqual([]);
  });
});
