import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TELEMETRY_KINDS, type TelemetryKind, type TelemetryRows } from '#protocol/telemetry.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type {
  TelemetryCursor,
  TelemetryFilter,
  TelemetryQuery,
  TelemetryStore,
} from '#storage/ports/telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { describeOnClickhouse } from './engines.ts';
import { hostileRows, type MakeRow, plainRows } from './every-kind.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, NOON_MS, newEventId } from './sample-events.ts';
import { idOf, ORGANIZATION, openTelemetry, TABLES } from './telemetry-suite.ts';

const NOON_US = NOON_MS * 1_000;

describeOnClickhouse('TelemetryStore', (engine) => {
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
  const countRows = (kind: TelemetryKind) => telemetry.countRows(kind, projectId);
  const hostile = () => hostileRows(make);
  const plain = () => plainRows(make);

  const listAll = async <Kind extends TelemetryKind>(
    kind: Kind,
    filter: TelemetryQuery['filter'] = {},
    limit = 1_000,
  ) => (await store.list(kind, scope, { limit, before: null, range: null, filter })).rows;

  describe('a row of every kind', () => {
    test('comes back as it was, from a list and by its id', async () => {
      start();
      for (const rows of [hostile(), plain()]) {
        await insert(rows);
        for (const kind of TELEMETRY_KINDS) {
          const [row] = rows[kind];
          const id = idOf(kind, row!);
          expect(await store.find(kind, scope, id), kind).toEqual(row);
          expect(await listAll(kind), kind).toContainEqual(row);
        }
      }
    });

    test('is stored once when its batch is inserted again, and read once when it was cut differently', async () => {
      start();
      const rows = hostile();
      await store.insert(rows, `again ${projectId}`);
      await store.insert(rows, `again ${projectId}`);
      for (const kind of TELEMETRY_KINDS) expect([kind, await countRows(kind)]).toEqual([kind, 1]);
      const more = plain();
      for (const kind of TELEMETRY_KINDS) (more[kind] as unknown[]).push(rows[kind][0]);
      await insert(more);
      await insert(rows);
      for (const kind of TELEMETRY_KINDS) {
        expect([kind, await countRows(kind)]).toEqual([kind, 4]);
        expect([kind, (await listAll(kind)).length]).toEqual([kind, 2]);
      }
    });

    test('replaces its copies when parts are merged', async () => {
      start();
      const rows = hostile();
      for (let copy = 0; copy < 3; copy++) await insert(rows);
      for (const kind of TELEMETRY_KINDS) {
        // A new table, since the parts of the other one stay.
        const table = `merged_${TABLES[kind]}`;
        await database.command(`CREATE TABLE ${table} AS ${TABLES[kind]}`);
        await database.command(
          `INSERT INTO ${table} SELECT * FROM ${TABLES[kind]} WHERE project_id = ${projectId}`,
        );
        await database.command(`OPTIMIZE TABLE ${table} FINAL`);
        const shards = await database.shards();
        const counts = await Promise.all(
          shards.map((shard) => shard.query<{ rows: number }>(`SELECT count() AS rows FROM ${table}`, {})),
        );
        expect([kind, counts.reduce((sum, [row]) => sum + (row?.rows ?? 0), 0)]).toEqual([kind, 1]);
      }
    });

    test('is not seen by other organizations, by other projects or by nobody', async () => {
      start();
      const rows = plain();
      await insert(rows);
      for (const other of [
        { organizationId: ORGANIZATION + 1, projectIds: [projectId] },
        { organizationId: ORGANIZATION, projectIds: [projectId + 1_000] },
        { organizationId: ORGANIZATION, projectIds: [] },
      ]) {
        for (const kind of TELEMETRY_KINDS) {
          const id = idOf(kind, rows[kind][0]!);
          expect(await store.find(kind, other, id)).toBeNull();
          expect(await store.list(kind, other, { limit: 5, before: null, range: null })).toEqual({
            rows: [],
            next: null,
          });
        }
        const [attachment, segment, span] = [rows.attachments[0]!, rows.replaySegments[0]!, rows.spans[0]!];
        expect(await store.listEventAttachments(other, attachment.eventId)).toEqual([]);
        expect(await store.listReplaySegments(other, segment.replayId)).toEqual([]);
        expect(await store.findTrace(other, span.traceId, { spans: 5, errors: 5 })).toMatchObject({
          spans: [],
        });
        const page = { limit: 5, before: null, range: null };
        expect((await store.listCheckIns(other, { ...page, monitorSlug: 'nightly' })).rows).toEqual([]);
        expect(
          await store.countCheckIns(other, {
            monitors: [{ projectId: rows.checkIns[0]!.projectId, slug: 'nightly' }],
            range: { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS },
            bucketMs: DAY_MS,
          }),
        ).toEqual([]);
        expect((await store.listReplays(other, page)).rows).toEqual([]);
        expect(await store.findReplay(other, rows.replays[0]!.replayId)).toBeNull();
        const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
        expect(
          await store.countReleaseHealth(other, { range, environments: [], releases: null, limit: 5 }),
        ).toEqual([]);
        expect(await store.countProjectSessions(other, { range, environments: [] })).toEqual(new Map());
      }
    });
  });

  test('numbers and texts of any kind come back as they were', async () => {
    start();
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    // A half of a pair is no character and becomes the replacement character.
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), finite, fc.boolean(), fc.integer());
    const attributes = fc.dictionary(fc.string({ unit: 'grapheme' }), value, { maxKeys: 20 });
    const samples = fc.sample(fc.tuple(attributes, finite), { numRuns: 300, seed: 42 });
    const rows = samples.map(([each, number]) => make('metrics', { attributes: { ...each }, value: number }));
    await insert({ metrics: rows });
    const found = new Map((await listAll('metrics')).map((row) => [row.rowId, row]));
    // A column knows no negative zero as JSON tells it.
    const clean = (row: object) => JSON.parse(JSON.stringify(row));
    for (const row of rows) expect(clean(found.get(row.rowId)!)).toEqual(clean(row));
  });

  test('what no column holds becomes the nearest that one does', async () => {
    start();
    const [early, late, broken] = [newEventId(), newEventId(), newEventId()];
    await insert({
      logs: [
        make('logs', { rowId: early, occurredAtUs: 5 }),
        make('logs', { rowId: late, occurredAtUs: Number.MAX_SAFE_INTEGER }),
        make('logs', {
          rowId: broken,
          body: 'half \ud800 pair',
          attributes: { endless: Number.POSITIVE_INFINITY, '\ud800': '\udc00', ['__proto__']: 1 },
        }),
      ],
    });
    expect((await store.find('logs', scope, early))?.occurredAtUs).toBe(Date.UTC(2001, 8, 10) * 1_000);
    expect((await store.find('logs', scope, late))?.occurredAtUs).toBe(
      Date.UTC(2255, 5, 5, 23, 47, 34, 740) * 1_000 + 991,
    );
    expect(await store.find('logs', scope, broken)).toMatchObject({
      body: 'half \ufffd pair',
      attributes: { endless: 'Infinity', '\ufffd': '\ufffd', ['__proto__']: 1 },
    });
    const { attributes } = (await store.find('logs', scope, broken))!;
    expect(Object.entries(attributes)).toContainEqual(['__proto__', 1]);
  });

  test('inserting nothing asks the server for nothing', async () => {
    const silent = createTelemetryStore({ ...database, insert: () => Promise.reject(new Error('asked')) });
    await silent.insert({}, 'nothing');
    const empty = Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []]));
    await silent.insert(empty as unknown as TelemetryRows, 'nothing');
    await expect(silent.insert({ logs: [make('logs')] }, 'something')).rejects.toThrow('asked');
  });

  test('each kind has a token of its own, and a large batch has several', async () => {
    start();
    const inserts: [string, number, string][] = [];
    const counting = createTelemetryStore({
      ...database,
      insert: async (table, rows, token) => void inserts.push([table, rows.length, token]),
    });
    const log = make('logs');
    await counting.insert({ logs: Array(45_000).fill(log), metrics: [make('metrics')] }, 't');
    expect(inserts.sort((a, b) => (a[2] < b[2] ? -1 : 1))).toEqual([
      ['logs', 20_000, 't:logs'],
      ['logs', 20_000, 't:logs:20000'],
      ['logs', 5_000, 't:logs:40000'],
      ['metrics', 1, 't:metrics'],
    ]);
  });

  test('kinds that were never sent take one question for a whole page, and are seen when they come', async () => {
    start();
    const asked: string[] = [];
    const counting = createTelemetryStore({
      ...database,
      query: async (sql, params) => {
        asked.push(sql);
        return await database.query(sql, params);
      },
    });
    const [traceId, eventId] = [newEventId(), newEventId()];
    const page = { limit: 10, before: null, range: null, filter: { traceId } };
    const issue = { issueId: 1, projectId, hashes: ['a'.repeat(32)] };
    const rowsOf = (answer: readonly object[] | { rows: readonly object[] }) =>
      'rows' in answer ? answer.rows : answer;
    const read = () =>
      Promise.all([
        counting.listEventAttachments(scope, eventId),
        counting.listEventFeedback(scope, eventId),
        counting.listIssueAttachments(scope, issue, { limit: 10, before: null }),
        counting.listIssueFeedback(scope, issue, { limit: 10, before: null }),
        counting.list('profiles', scope, page),
        counting.list('transactions', scope, page),
        counting.list('logs', scope, page),
      ]);
    expect((await read()).flatMap(rowsOf)).toEqual([]);
    expect(asked).toHaveLength(1);

    const attachment = make('attachments', { eventId });
    await insert({ attachments: [attachment], logs: [make('logs', { traceId: newEventId() })] });
    const [attachments, ...rest] = await read();
    expect(attachments).toEqual([attachment]);
    expect(rest.flatMap(rowsOf)).toEqual([]);
    // One for the kinds that are not known yet, and those of the two kinds that are there.
    expect(asked).toHaveLength(5);
    // What is known is not asked again.
    await counting.listEventAttachments(scope, eventId);
    expect(asked).toHaveLength(6);

    const outside = { ...scope, organizationId: ORGANIZATION + 1 };
    expect(await createTelemetryStore(database).listEventAttachments(outside, eventId)).toEqual([]);
  });

  test('one table that refuses does not keep the others from being written before it is told', async () => {
    start();
    const log = make('logs');
    let isLogWritten = false;
    const failing = createTelemetryStore({
      ...database,
      insert: async (table) => {
        if (table === 'spans') throw new Error('refused');
        await new Promise((resolve) => setTimeout(resolve, 20));
        isLogWritten = true;
      },
    });
    await expect(failing.insert({ spans: [make('spans')], logs: [log] }, 't')).rejects.toThrow('refused');
    expect(isLogWritten).toBe(true);
  });

  testInFull(
    'pages are newest first and neither skip nor repeat, also over copies, ties and days',
    async () => {
      start();
      const rows = Array.from({ length: 29 }, (_, index) => ({
        spans: make('spans', { startedAtUs: (NOON_MS - (index % 7) * 2 * DAY_MS) * 1_000 + (index % 2) }),
        feedback: make('feedback', { occurredAt: NOON_MS - (index % 7) * 2 * DAY_MS }),
      }));
      const spans = rows.map((row) => row.spans);
      const feedback = rows.map((row) => row.feedback);
      await insert({ spans: spans.slice(0, 20), feedback: feedback.slice(0, 20) });
      await insert({ spans: spans.slice(10), feedback: feedback.slice(10) });
      const newest = <Row>(list: Row[], at: (row: Row) => number, id: (row: Row) => string) =>
        [...list].sort((a, b) => at(b) - at(a) || (id(a) < id(b) ? 1 : -1)).map(id);
      const readPages = async (kind: 'spans' | 'feedback', limit: number, id: (row: never) => string) => {
        const seen: string[] = [];
        let before: TelemetryCursor | null = null;
        do {
          const page: Awaited<ReturnType<typeof store.list<typeof kind>>> = await store.list(kind, scope, {
            limit,
            before,
            range: null,
          });
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          seen.push(...page.rows.map((row) => id(row as never)));
          before = page.next;
        } while (before !== null);
        return seen;
      };
      const spanId = (row: { traceId: string; spanId: string }) => row.traceId + row.spanId;
      const feedbackId = (row: { feedbackId: string }) => row.feedbackId;
      for (const limit of [1, 7, 29, 100]) {
        expect(await readPages('spans', limit, spanId)).toEqual(
          newest(spans, (row) => row.startedAtUs, spanId),
        );
        expect(await readPages('feedback', limit, feedbackId)).toEqual(
          newest(feedback, (row) => row.occurredAt, feedbackId),
        );
      }
      await expect(
        store.list('spans', scope, { limit: 1_001, before: null, range: null }),
      ).rejects.toMatchObject({
        code: 'invalid',
      });
    },
    5 * 60_000,
  );

  test('ranges are half-open, in the unit of each clock', async () => {
    start();
    const [a, b] = [make('logs'), make('logs', { occurredAtUs: NOON_US + HOUR_MS * 1_000 - 1 })];
    await insert({
      logs: [
        a,
        b,
        make('logs', { occurredAtUs: NOON_US - 1 }),
        make('logs', { occurredAtUs: NOON_US + HOUR_MS * 1_000 }),
      ],
      attachments: [make('attachments'), make('attachments', { receivedAt: NOON_MS + HOUR_MS })],
    });
    const query = { limit: 10, before: null, range: { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS } };
    expect((await store.list('logs', scope, query)).rows).toEqual([b, a]);
    expect((await store.list('attachments', scope, query)).rows).toHaveLength(1);
  });

  test('filters keep exactly what has the value; what a kind does not have matches nothing', async () => {
    start();
    const traceId = newEventId();
    const rows = plain();
    await insert(rows);
    const filters: [TelemetryKind, object, Partial<Record<TelemetryFilter, string>>][] = [
      ['transactions', { traceId }, { traceId }],
      ['transactions', { name: HOSTILE_TEXT }, { name: HOSTILE_TEXT }],
      ['transactions', { eventId: traceId }, { eventId: traceId }],
      [
        'transactions',
        { replayId: traceId, release: 'a', environment: 'b' },
        { replayId: traceId, release: 'a', environment: 'b' },
      ],
      ['spans', { traceId }, { traceId }],
      ['spans', { transactionId: traceId }, { transactionId: traceId }],
      ['logs', { level: 'warn' }, { level: 'warn' }],
      ['logs', { traceId }, { traceId }],
      ['metrics', { name: 'm' }, { name: 'm' }],
      ['sessions', { release: 'other' }, { release: 'other' }],
      ['checkIns', { monitorSlug: 'hourly' }, { monitorSlug: 'hourly' }],
      ['feedback', { associatedEventId: traceId }, { associatedEventId: traceId }],
      ['attachments', { eventId: traceId }, { eventId: traceId }],
      ['replays', { replayId: traceId }, { replayId: traceId }],
      ['replaySegments', { replayId: traceId }, { replayId: traceId }],
      ['profiles', { profilerId: traceId }, { profilerId: traceId }],
    ];
    for (const [kind, fields, filter] of filters) {
      const row = make(kind, fields as never);
      await insert({ [kind]: [row] });
      expect(await listAll(kind, filter), `${kind} ${Object.keys(filter)}`).toEqual([row]);
    }
    expect(await listAll('logs', { monitorSlug: 'nightly' })).toEqual([]);
    expect((await listAll('logs', { level: ['warn', 'fatal'] })).map(({ level }) => level)).toEqual(['warn']);
    expect(await listAll('logs', { level: [] })).toEqual([]);
    for (const value of ['', 'abc', HOSTILE_TEXT, 'f'.repeat(64)]) {
      expect(await listAll('transactions', { traceId: value })).toEqual([]);
      expect(await store.find('transactions', scope, value)).toBeNull();
      expect(await store.listEventAttachments(scope, value)).toEqual([]);
      expect(await store.findTrace(scope, value, { spans: 5, errors: 5 })).toMatchObject({ spans: [] });
    }
  });

  test('a text is looked for in what a kind says, ignoring case; kinds that say nothing match nothing', async () => {
    start();
    const [line, other] = [make('logs', { body: 'Payment 100% DECLINED' }), make('logs', { body: 'paid' })];
    const checkout = make('transactions', { name: 'POST /Checkout' });
    await insert({ logs: [line, other], transactions: [checkout, make('transactions', { name: 'GET /' })] });
    const found = async (kind: TelemetryKind, text: string) =>
      (await store.list(kind, scope, { limit: 9, before: null, range: null, text })).rows;
    expect(await found('logs', '100% declined')).toEqual([line]);
    expect(await found('logs', 'PAYment')).toEqual([line]);
    expect(await found('logs', '%')).toEqual([line]);
    expect(await found('logs', HOSTILE_TEXT)).toEqual([]);
    expect(await found('transactions', '/checkout')).toEqual([checkout]);
    const profile = make('profiles', { transactionName: 'POST /Checkout' });
    await insert({ profiles: [profile, make('profiles', { transactionName: null })] });
    expect(await found('profiles', '/checkout')).toEqual([profile]);
    expect(await found('attachments', 'a')).toEqual([]);
  });

  test('profiles are sampled evenly, each counted once, and counted by their release', async () => {
    start();
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const all = Array.from({ length: 40 }, (_, index) =>
      make('profiles', {
        profileId: newEventId(),
        occurredAt: range.fromMs + index * 10_000,
        transactionName: index < 30 ? '/checkout' : "/'; DROP",
        release: index % 2 === 0 ? 'shop@1' : index % 3 === 0 ? null : 'shop@2',
        environment: index < 20 ? 'production' : null,
      }),
    );
    await insert({ profiles: all });
    await insert({ profiles: all.slice(0, 20) });
    const query = { range, transaction: null, environments: [], release: null, limit: 10 };
    const sample = await store.sampleProfiles(scope, query);
    expect(sample.total).toBe(40);
    expect(new Set(sample.rows.map(({ profileId }) => profileId)).size).toBe(10);
    expect(await store.sampleProfiles(scope, query)).toEqual(sample);
    const count = async (change: object) =>
      (await store.sampleProfiles(scope, { ...query, ...change })).total;
    expect(await count({ transaction: '/checkout' })).toBe(30);
    expect(await count({ transaction: "/'; DROP" })).toBe(10);
    expect(await count({ release: 'shop@1', environments: ['production', 'x'] })).toBe(10);
    expect(await count({ range: { fromMs: range.fromMs, toMs: range.fromMs + 10_000 } })).toBe(1);
    const releases = await store.listProfiledReleases(scope, { ...query, transaction: '/checkout' });
    expect(releases).toEqual([
      { release: null, profiles: 5, oldestAt: range.fromMs + 30_000 },
      { release: 'shop@2', profiles: 10, oldestAt: range.fromMs + 10_000 },
      { release: 'shop@1', profiles: 15, oldestAt: range.fromMs },
    ]);
    const nobody = { ...scope, projectIds: [] };
    expect(await store.sampleProfiles(nobody, query)).toEqual({ rows: [], total: 0 });
    expect(await store.listProfiledReleases(nobody, query)).toEqual([]);
  });

  test('attachments of an event come by name, segments of a replay in their order, each once', async () => {
    start();
    const eventId = newEventId();
    const attachments = ['b.txt', 'a.txt', 'a.txt'].map((name) => make('attachments', { eventId, name }));
    const replayId = newEventId();
    const segments = [10, 2, 0].map((segmentId) => make('replaySegments', { replayId, segmentId }));
    segments.push(make('replaySegments', { replayId, segmentId: 2, kind: 'video' }));
    for (let copy = 0; copy < 2; copy++) {
      await insert({
        attachments: [...attachments, make('attachments')],
        replaySegments: [...segments, make('replaySegments')],
      });
    }
    const found = await store.listEventAttachments(scope, eventId);
    expect(found.map(({ name }) => name)).toEqual(['a.txt', 'a.txt', 'b.txt']);
    expect(new Set(found.map(({ attachmentId }) => attachmentId)).size).toBe(3);
    expect(
      (await store.listReplaySegments(scope, replayId)).map(({ segmentId, kind }) => [segmentId, kind]),
    ).toEqual([
      [0, 'recording'],
      [2, 'recording'],
      [2, 'video'],
      [10, 'recording'],
    ]);
  });

  test('the last update of a session is the one that is found', async () => {
    start();
    const sessionId = newEventId();
    const updates = [2, 9, 5].map((seq) => make('sessions', { sessionId, seq }));
    await insert({ sessions: updates });
    expect(await store.find('sessions', scope, sessionId)).toEqual(updates[1]);
  });
});
