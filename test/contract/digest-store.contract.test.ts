import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { QuarantineEntry } from '#storage/ports/digest.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { testInFull } from '../harness/is-full.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import {
  acceptedOutcomes,
  HOSTILE_TEXT,
  HOUR_MS,
  hashOf,
  MINUTE_MS,
  makeEvent,
  NOON_MS,
} from './sample-events.ts';

describeOnPostgres('DigestStore', (engine) => {
  let stores: PostgresStores;
  let tenant: Tenant;
  let spoolId: string;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  async function start(): Promise<void> {
    tenant = await stores.createTenant();
    spoolId = randomBytes(8).toString('hex');
  }

  const event = (overrides: Partial<DigestedEvent> = {}) => makeEvent({ ...tenant, ...overrides });

  const assign = (from: number, to: number, events: readonly DigestedEvent[], nowMs = NOON_MS) =>
    stores.digest.assign({ spoolId, from, to }, events, acceptedOutcomes(events), [], nowMs);

  const countAccepted = async () => {
    const range = { fromMs: NOON_MS - 24 * HOUR_MS, toMs: NOON_MS + 24 * HOUR_MS };
    const series = await stores.outcomes.series(tenant.organizationId, [tenant.projectId], range, HOUR_MS);
    return series.find(({ outcome }) => outcome === 'accepted')?.total ?? 0;
  };

  const countRows = async (table: 'outbox' | 'releases' | 'environments'): Promise<number> => {
    const { rows } = await stores.database.pool.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE organization_id = $1`,
      [tenant.organizationId],
    );
    return rows[0]!.count;
  };

  test('a new spool starts at 0, and every stretch moves it to its end', async () => {
    await start();
    expect(await stores.digest.findPosition(spoolId)).toBe(0);
    expect(await assign(0, 7, [event()])).toEqual({ applied: true, newIssues: 1, regressions: 0 });
    expect(await stores.digest.findPosition(spoolId)).toBe(7);
    expect(await assign(7, 9, [])).toMatchObject({ applied: true });
    expect(await stores.digest.findPosition(spoolId)).toBe(9);
  });

  test('a new issue has what its event says, and tells of itself once', async () => {
    await start();
    const first = event({
      level: 'warning',
      platform: 'python',
      logger: 'jobs',
      release: 'web@1.0.0',
      metadata: { type: 'KeyError', value: 'x', filename: 'a.py' },
      occurredAt: NOON_MS - MINUTE_MS,
    });
    await assign(0, 1, [first], NOON_MS);
    const [issue] = await stores.listIssues(tenant);
    expect(issue).toMatchObject({
      organizationId: tenant.organizationId,
      projectId: tenant.projectId,
      projectSlug: tenant.projectSlug,
      shortId: `${tenant.projectSlug.toUpperCase()}-1`,
      title: first.title,
      culprit: first.culprit,
      level: 'warning',
      platform: 'python',
      type: 'error',
      metadata: { type: 'KeyError', value: 'x', filename: 'a.py' },
      logger: 'jobs',
      status: 'unresolved',
      substatus: 'new',
      firstSeen: NOON_MS - MINUTE_MS,
      lastSeen: NOON_MS - MINUTE_MS,
      timesSeen: 1,
      assignee: null,
      resolvedAt: null,
      firstRelease: 'web@1.0.0',
      lastRelease: 'web@1.0.0',
    });
    const activity = await stores.issues.listActivity(tenant.organizationId, issue!.id, 10);
    expect(activity).toMatchObject([{ type: 'first_seen', user: null, at: NOON_MS - MINUTE_MS }]);
    const { rows } = await stores.database.pool.query(
      'SELECT kind, event_id FROM outbox WHERE issue_id = $1',
      [issue!.id],
    );
    expect(rows).toEqual([{ kind: 'first_seen', event_id: first.eventId }]);
  });

  test('replaying a stretch changes nothing', async () => {
    await start();
    const events = [
      event(),
      event(),
      event({ groupingHash: hashOf('other'), release: '1', environment: 'e' }),
    ];
    await assign(0, 3, events);
    const before = await stores.listIssues(tenant);
    const news = await countRows('outbox');
    expect(await assign(0, 3, events)).toEqual({ applied: false, newIssues: 0, regressions: 0 });
    expect(await stores.listIssues(tenant)).toEqual(before);
    expect(before.map((issue) => issue.timesSeen)).toEqual([2, 1]);
    expect(await countRows('outbox')).toBe(news);
    expect(await countAccepted()).toBe(3);
  });

  test('a stretch that is cut differently counts only from the position that was reached', async () => {
    await start();
    const events = Array.from({ length: 10 }, () => event());
    await assign(0, 6, events.slice(0, 6));
    expect(await assign(0, 4, events.slice(0, 4))).toMatchObject({ applied: false });
    expect(await assign(4, 10, events.slice(4))).toMatchObject({ applied: false });
    expect(await assign(7, 10, events.slice(7))).toMatchObject({ applied: false });
    expect(await stores.digest.findPosition(spoolId)).toBe(6);
    expect(await assign(6, 10, events.slice(6))).toMatchObject({ applied: true });
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 10 }]);
    expect(await countAccepted()).toBe(10);
  });

  test('one stretch or many: the issues are the same', async () => {
    const script = (at: number, hash: string, title: string, release: string | null) => ({
      occurredAt: NOON_MS + at,
      receivedAt: NOON_MS + 10_000,
      groupingHash: hashOf(hash),
      title,
      release,
      level: at % 2 ? ('error' as const) : ('info' as const),
    });
    const scripts = [
      script(500, 'a', 'second', 'r1'),
      script(100, 'a', 'first', 'r0'),
      script(900, 'a', 'last', 'r2'),
      script(900, 'a', 'same time, but later in the spool', 'r3'),
      script(200, 'b', 'b early', null),
      script(50, 'b', 'b earlier', 'r1'),
      script(300, 'a', 'not the newest', 'r9'),
    ];
    const outcomes: unknown[] = [];
    for (const size of [scripts.length, 1, 3]) {
      await start();
      for (let from = 0; from < scripts.length; from += size) {
        const events = scripts.slice(from, from + size).map((overrides) => event(overrides));
        await assign(from, from + events.length, events, NOON_MS);
      }
      const comparable = ({
        title,
        level,
        firstSeen,
        lastSeen,
        timesSeen,
        firstRelease,
        lastRelease,
      }: Issue) => ({
        title,
        level,
        firstSeen,
        lastSeen,
        timesSeen,
        firstRelease,
        lastRelease,
      });
      outcomes.push((await stores.listIssues(tenant)).map(comparable));
    }
    expect(outcomes[0]).toMatchObject([
      {
        title: 'same time, but later in the spool',
        firstSeen: NOON_MS + 100,
        lastSeen: NOON_MS + 900,
        timesSeen: 5,
        lastRelease: 'r3',
      },
      { title: 'b early', timesSeen: 2 },
    ]);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
  });

  test('an older event counts, but does not change what the issue shows', async () => {
    await start();
    await assign(0, 1, [event({ title: 'newest', level: 'fatal', release: 'r2' })]);
    await assign(1, 2, [
      event({ title: 'older', level: 'info', occurredAt: NOON_MS - HOUR_MS, culprit: 'x', release: 'r1' }),
    ]);
    expect(await stores.listIssues(tenant)).toMatchObject([
      {
        title: 'newest',
        level: 'fatal',
        timesSeen: 2,
        firstSeen: NOON_MS - HOUR_MS,
        lastSeen: NOON_MS,
        lastRelease: 'r2',
      },
    ]);
  });

  test('the same hash in two projects is two issues, each with its own short id', async () => {
    await start();
    const other = await stores.createProject(tenant.organizationId, 'api');
    await assign(0, 2, [event(), makeEvent({ ...other })]);
    expect(await stores.listIssues(tenant)).toMatchObject([
      { shortId: `${tenant.projectSlug.toUpperCase()}-1` },
    ]);
    expect(await stores.listIssues(other)).toMatchObject([{ shortId: 'API-1', timesSeen: 1 }]);
  });

  test('short ids count up without gaps, in base 32', async () => {
    await start();
    const events = Array.from({ length: 40 }, (_, index) =>
      event({ groupingHash: hashOf(`short ${index}`) }),
    );
    await assign(0, 20, events.slice(0, 20));
    await assign(20, 40, events.slice(20));
    const numbers = (await stores.listIssues(tenant)).map((issue) => issue.shortId.split('-').at(-1));
    expect(numbers).toHaveLength(40);
    expect(numbers.slice(8, 12)).toEqual(['9', 'A', 'B', 'C']);
    expect(numbers.slice(30, 34)).toEqual(['Z', '10', '11', '12']);
  });

  test('assigners that race on the same new hash make one issue, and every event counts', async () => {
    await start();
    const racers = Array.from({ length: 12 }, () => createDigestStore(stores.database.db));
    const results = await Promise.all(
      racers.map((racer, index) =>
        racer.assign(
          { spoolId: `${spoolId}-${index}`, from: 0, to: 2 },
          [event({ release: 'new', environment: 'new' }), event({ groupingHash: hashOf('other race') })],
          [],
          [],
          NOON_MS,
        ),
      ),
    );
    expect(results.reduce((sum, result) => sum + result.newIssues, 0)).toBe(2);
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 12 }, { timesSeen: 12 }]);
    expect(await countRows('outbox')).toBe(2);
    expect(await countRows('releases')).toBe(1);
    expect(await countRows('environments')).toBe(1);
  });

  test('of several who assign the same stretch, one does', async () => {
    await start();
    for (const from of [0, 2, 4, 6, 8]) {
      const events = [event(), event()];
      const results = await Promise.all(Array.from({ length: 4 }, () => assign(from, from + 2, events)));
      expect(results.filter((result) => result.applied)).toHaveLength(1);
    }
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 10 }]);
    expect(await countAccepted()).toBe(10);
  });

  test('ranges of several spools are counted and moved together, or not at all', async () => {
    await start();
    const ranges = ['c', 'a', 'b'].map((name) => ({ spoolId: `${spoolId}-${name}`, from: 0, to: 3 }));
    const positions = () => Promise.all(ranges.map((range) => stores.digest.findPosition(range.spoolId)));
    const events = [event(), event()];
    const assignAll = (moved: typeof ranges) =>
      stores.digest.assign(moved, events, acceptedOutcomes(events), [], NOON_MS);
    expect(await assignAll(ranges)).toMatchObject({ applied: true, newIssues: 1 });
    expect(await positions()).toEqual([3, 3, 3]);
    // Another process has taken one of them meanwhile.
    const [first] = ranges as [(typeof ranges)[number]];
    await stores.digest.assign({ ...first, from: 3, to: 5 }, [], [], [], NOON_MS);
    const next = ranges.map((range) => ({ ...range, from: 3, to: 9 }));
    expect(await assignAll(next)).toMatchObject({ applied: false });
    expect(await positions()).toEqual([5, 3, 3]);
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 2 }]);
    expect(await countAccepted()).toBe(2);
  });

  test('of several who assign ranges that overlap, in any order, each spool is moved once', async () => {
    await start();
    const name = (index: number) => `${spoolId}-${index}`;
    const results = await Promise.all(
      [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [2, 0],
        [1, 3],
      ].map((spools) =>
        stores.digest.assign(
          spools.map((index) => ({ spoolId: name(index), from: 0, to: 1 })),
          spools.map(() => event()),
          [],
          [],
          NOON_MS,
        ),
      ),
    );
    const applied = results.filter((result) => result.applied).length;
    expect([1, 2]).toContain(applied);
    const moved = await Promise.all([0, 1, 2, 3].map((index) => stores.digest.findPosition(name(index))));
    const sum = moved.reduce((total, position) => total + position, 0);
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: sum }]);
  });

  test('assigners and people who work on the same issues in any order never deadlock', async () => {
    await start();
    const second = await stores.createProject(tenant.organizationId, 'second');
    const tenants = [tenant, second];
    const hashes = Array.from({ length: 30 }, (_, index) => hashOf(`shared ${index}`));
    const rounds = 6;
    const workers = Array.from({ length: 5 }, async (_, worker) => {
      const digest = createDigestStore(stores.database.db);
      for (let round = 0; round < rounds; round++) {
        const events = hashes.flatMap((groupingHash, index) =>
          tenants.map((project) =>
            makeEvent({
              ...project,
              groupingHash: index % 3 === 0 ? hashOf(`fresh ${round} ${index}`) : groupingHash,
              release: `r${(round + index) % 7}`,
              environment: `e${(worker + index) % 5}`,
              receivedAt: NOON_MS + HOUR_MS,
            }),
          ),
        );
        if (worker % 2 === 1) events.reverse();
        const stretch = { spoolId: `${spoolId}-${worker}`, from: round, to: round + 1 };
        await digest.assign(stretch, events, acceptedOutcomes(events), [], NOON_MS);
      }
    });
    const people = Array.from({ length: 2 }, async () => {
      for (let round = 0; round < rounds; round++) {
        const ids = (await stores.listIssues(tenant)).map((issue) => issue.id).reverse();
        await stores.issues.update(tenant.organizationId, ids, { status: 'resolved' }, null, NOON_MS);
        await stores.issues.ageNewIssues(NOON_MS + HOUR_MS, 50);
      }
    });
    await Promise.all([...workers, ...people]);
    const seen = (await stores.listIssues(tenant)).reduce((sum, issue) => sum + issue.timesSeen, 0);
    expect(seen).toBe(5 * rounds * hashes.length);
    expect(await countAccepted()).toBe(5 * rounds * hashes.length);
  });

  test('an event received after the issue was resolved makes it regressed, and says so once', async () => {
    await start();
    await assign(0, 1, [event()]);
    const [issue] = await stores.listIssues(tenant);
    await stores.issues.update(
      tenant.organizationId,
      [issue!.id],
      { status: 'resolved' },
      null,
      NOON_MS + 1_000,
    );
    const late = [event({ receivedAt: NOON_MS + 2_000 }), event({ receivedAt: NOON_MS + 3_000 })];
    expect(await assign(1, 3, late, NOON_MS + 4_000)).toEqual({
      applied: true,
      newIssues: 0,
      regressions: 1,
    });
    expect(await stores.listIssues(tenant)).toMatchObject([
      { status: 'unresolved', substatus: 'regressed', resolvedAt: null, timesSeen: 3 },
    ]);
    const activity = await stores.issues.listActivity(tenant.organizationId, issue!.id, 10);
    expect(activity.map(({ type }) => type)).toEqual(['set_regression', 'set_resolved', 'first_seen']);
    expect(activity[0]).toMatchObject({ user: null, at: NOON_MS + 4_000 });
    const { rows } = await stores.database.pool.query(
      'SELECT kind FROM outbox WHERE issue_id = $1 ORDER BY id',
      [issue!.id],
    );
    expect(rows.map((row) => row.kind)).toEqual(['first_seen', 'regression']);
  });

  test('an event received before the issue was resolved counts and leaves it resolved', async () => {
    await start();
    await assign(0, 1, [event()]);
    const [issue] = await stores.listIssues(tenant);
    await stores.issues.update(
      tenant.organizationId,
      [issue!.id],
      { status: 'resolved' },
      null,
      NOON_MS + 1_000,
    );
    const waited = event({ occurredAt: NOON_MS + 500, receivedAt: NOON_MS + 1_000 });
    expect(await assign(1, 2, [waited], NOON_MS + HOUR_MS)).toMatchObject({ regressions: 0 });
    expect(await stores.listIssues(tenant)).toMatchObject([
      { status: 'resolved', substatus: null, resolvedAt: NOON_MS + 1_000, timesSeen: 2 },
    ]);
  });

  test('an archived issue counts on and stays archived', async () => {
    await start();
    await assign(0, 1, [event()]);
    const [issue] = await stores.listIssues(tenant);
    const change = { status: 'archived', substatus: 'archived_forever' } as const;
    await stores.issues.update(tenant.organizationId, [issue!.id], change, null, NOON_MS);
    await assign(1, 2, [event({ receivedAt: NOON_MS + HOUR_MS })]);
    expect(await stores.listIssues(tenant)).toMatchObject([
      { status: 'archived', substatus: 'archived_forever', timesSeen: 2 },
    ]);
  });

  test('a batch is all or nothing', async () => {
    await start();
    await assign(0, 1, [event()]);
    const before = await stores.listIssues(tenant);
    const broken = { ...acceptedOutcomes([event()])[0]!, quantity: Number.NaN };
    const events = [
      event(),
      event({ groupingHash: hashOf('unborn'), release: 'unborn', environment: 'unborn' }),
    ];
    await expect(
      stores.digest.assign({ spoolId, from: 1, to: 3 }, events, [broken], [], NOON_MS),
    ).rejects.toThrow();
    expect(await stores.listIssues(tenant)).toEqual(before);
    expect(await stores.digest.findPosition(spoolId)).toBe(1);
    expect(await countRows('releases')).toBe(0);
    expect(await assign(1, 3, events)).toMatchObject({ applied: true, newIssues: 1 });
    expect(await countRows('releases')).toBe(1);
  });

  test('events of a project that was deleted while they waited end in an outcome, and do not stop the others', async () => {
    await start();
    const gone = await stores.createProject(tenant.organizationId, 'gone');
    await assign(0, 1, [makeEvent({ ...gone, release: 'r1' })]);
    await stores.database.pool.query('DELETE FROM projects WHERE id = $1', [gone.projectId]);
    const events = [makeEvent({ ...gone, release: 'r1' }), event(), makeEvent({ ...gone })];
    expect(await assign(1, 4, events)).toEqual({ applied: true, newIssues: 1, regressions: 0 });
    expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 1 }]);
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const series = await stores.outcomes.series(tenant.organizationId, [gone.projectId], range, HOUR_MS);
    expect(series).toMatchObject([
      { outcome: 'accepted', total: 1 },
      { outcome: 'invalid', reason: 'project_deleted', total: 2 },
    ]);
  });

  test('hostile texts come back as they were sent, except what PostgreSQL cannot hold', async () => {
    await start();
    const hostile = event({
      title: HOSTILE_TEXT,
      culprit: `\u0000${HOSTILE_TEXT}\ud800`,
      message: HOSTILE_TEXT,
      metadata: { type: HOSTILE_TEXT, value: 'half \udc00 pair' },
      logger: HOSTILE_TEXT,
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
    });
    await assign(0, 1, [hostile]);
    await assign(1, 2, [{ ...hostile, eventId: 'a'.repeat(32) }]);
    expect(await stores.listIssues(tenant)).toMatchObject([
      {
        title: HOSTILE_TEXT,
        culprit: `${HOSTILE_TEXT}\ufffd`,
        metadata: { type: HOSTILE_TEXT, value: 'half \ufffd pair' },
        logger: HOSTILE_TEXT,
        lastRelease: HOSTILE_TEXT,
        timesSeen: 2,
      },
    ]);
    expect(await countRows('releases')).toBe(1);
  });

  testInFull('a batch of 1,000 events over 500 issues is counted exactly', async () => {
    await start();
    const events = Array.from({ length: 1_000 }, (_, index) =>
      event({ groupingHash: hashOf(`many ${index % 500}`), release: `r${index % 11}` }),
    );
    expect(await assign(0, 1_000, events)).toEqual({ applied: true, newIssues: 500, regressions: 0 });
    expect(await assign(1_000, 2_000, events)).toEqual({ applied: true, newIssues: 0, regressions: 0 });
    const issues = await stores.listIssues(tenant);
    expect(issues).toHaveLength(500);
    expect(new Set(issues.map((issue) => issue.timesSeen))).toEqual(new Set([4]));
    expect(await countAccepted()).toBe(2_000);
  });

  test('what is set aside is kept once, with the outcome that tells of it', async () => {
    await start();
    const entry: QuarantineEntry = {
      organizationId: tenant.organizationId,
      projectId: tenant.projectId,
      keyId: null,
      eventId: null,
      category: 'error',
      reason: 'digest_failed',
      detail: HOSTILE_TEXT,
      attempts: 3,
      receivedAt: NOON_MS,
      record: Uint8Array.from([0, 255, 39, 92]),
      spoolId,
      position: 1,
      item: 0,
    };
    await stores.digest.assign({ spoolId, from: 0, to: 1 }, [], [], [entry, { ...entry, item: 1 }], NOON_MS);
    await stores.digest.assign({ spoolId, from: 0, to: 1 }, [], [], [entry], NOON_MS);
    await stores.digest.assign({ spoolId, from: 1, to: 2 }, [], [], [entry], NOON_MS);
    expect(await stores.quarantine.list(tenant.organizationId, 10)).toHaveLength(2);
  });

  test('releases and environments that sessions name are kept, each once, and never of a project that is gone', async () => {
    await start();
    const named = (release: string | null, environment: string | null, projectId = tenant.projectId) => ({
      organizationId: tenant.organizationId,
      projectId,
      release,
      environment,
      at: NOON_MS - HOUR_MS,
    });
    const origins = [
      named('web@1', 'prod'),
      named('web@1', null),
      named(null, 'dev'),
      named('gone@1', 'x', 999_999),
    ];
    await stores.digest.assign({ spoolId, from: 0, to: 1 }, [], [], [], NOON_MS, origins);
    await stores.digest.assign({ spoolId, from: 1, to: 2 }, [], [], [], NOON_MS, origins);
    expect([await countRows('releases'), await countRows('environments')]).toEqual([1, 2]);
    await stores.digest.assign({ spoolId, from: 2, to: 3 }, [event({ release: 'web@1' })], [], [], NOON_MS, [
      named('web@2', 'prod'),
    ]);
    expect([await countRows('releases'), await countRows('environments')]).toEqual([2, 2]);
    const releases = createReleaseStore(stores.database.db);
    const [newest] = await releases.listReleases(tenant.organizationId, [tenant.projectId], {
      search: '',
      limit: 1,
    });
    expect(newest).toEqual({ version: 'web@2', dateMs: NOON_MS - HOUR_MS });
  });
});
