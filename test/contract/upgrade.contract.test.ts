import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { decodeRecord } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { readMigrationFiles } from '#lib/migration-files.ts';
import { evaluateOutbox } from '#product/alerts/evaluate/evaluate-outbox.ts';
import { CountMemory } from '#product/alerts/evaluate/judge-counts.ts';
import { createRegroupStore } from '#product/grouping/store/regroup-store.ts';
import type { Stores } from '#product/stores.ts';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { storesOver } from '../product/stores-over.ts';
import { testLog } from './engines.ts';
import { FIRST_VERSION, mergeBeforeAlerts, openFirstPostgres, openFirstVersion } from './first-version.ts';
import { acceptedOutcomes, DAY_MS, HOUR_MS, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';
import { makeRow } from './sample-telemetry.ts';

const RANGE = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };

/** SHA-256 of what was released: a migration that may have run anywhere is never changed, only followed by another. */
const LANDED: Readonly<Record<'postgres' | 'clickhouse', Readonly<Record<string, string>>>> = {
  postgres: {
    '0001_core.sql': '5a114e2f8b35e8b93c302ef92e69787d7aef23b2ec1bbcba7fb705dd8245cbee',
    '0002_accounts.sql': '70eec5c133b11a440faf338946b0b307daa4b6cd3996d1185d7b9ae56d943f75',
  },
  clickhouse: {
    '0001_events.sql': '12cbe5f3db80097664d5ec6ecb2bfe59a41d5431773cd95f36997429047e889b',
  },
};

test.each(['postgres', 'clickhouse'] as const)('the landed migrations of %s are as they were', (store) => {
  const folder = join(import.meta.dirname, '../../src/storage', store, 'migrations');
  const files = new Map(readMigrationFiles(folder).map((file) => [file.name, file.checksum]));
  for (const [name, checksum] of Object.entries(LANDED[store]))
    expect([name, files.get(name)]).toEqual([name, checksum]);
});

describe('a database of the first version', () => {
  let version: Awaited<ReturnType<typeof openFirstVersion>>;
  let analytic: ClickhouseDatabase;
  let stores: Stores;
  let folder: string;
  let organizationId: number;
  let projectId: number;
  let scope: { organizationId: number; projectIds: readonly number[] };

  beforeAll(async () => {
    version = await openFirstVersion({
      postgres: { name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') },
      clickhouse: { name: 'embedded ClickHouse', url: inject('embeddedClickhouseUrl') },
    });
    ({ organizationId, projectId } = version.ids);
    scope = { organizationId, projectIds: [projectId] };
    analytic = await version.upgrade();
    folder = mkdtempSync(join(tmpdir(), 'errata-upgrade-'));
    stores = storesOver(version.relational, analytic, folder);
  });
  afterAll(async () => {
    await analytic?.close();
    await version?.drop();
    if (folder) rmSync(folder, { recursive: true });
  });

  const issueEvents = () => ({
    issueId: version.ids.openId,
    projectId,
    hashes: [FIRST_VERSION.hashes.open],
  });

  test('has every migration now, each once, and starts again without any', async () => {
    await migratePostgres(version.relational, testLog);
    await migrateClickhouse(analytic, testLog);
    const { rows } = await version.relational.pool.query(
      'SELECT name FROM schema_migrations ORDER BY version',
    );
    const names = (store: string) =>
      readMigrationFiles(join(import.meta.dirname, '../../src/storage', store, 'migrations')).map(
        ({ name }) => name,
      );
    expect(rows.map(({ name }) => name)).toEqual(names('postgres'));
    const applied = await analytic.query<{ name: string }>(
      'SELECT name FROM schema_migrations ORDER BY version, name',
      {},
    );
    expect(applied.map(({ name }) => name)).toEqual(names('clickhouse'));
  });

  test('keeps its organization, projects, keys, people and tokens', async () => {
    expect(await stores.projects.findOrganization('main')).toMatchObject({
      id: organizationId,
      name: 'Main',
    });
    expect(await stores.projects.listProjects(organizationId)).toMatchObject([
      { id: projectId, slug: 'web', name: 'Web shop', platform: 'javascript-nextjs', firstEventAt: NOON_MS },
    ]);
    const key = { keyId: version.ids.keyId, projectId, organizationId, isActive: true };
    expect(await stores.projects.findAdmission(FIRST_VERSION.publicKey)).toMatchObject(key);
    expect(await stores.projects.listAdmissions(10)).toMatchObject([key]);
    expect(await stores.projects.listEnvironments(organizationId, [projectId])).toEqual(['production']);
    expect(await stores.accounts.findUserByEmail('ada@EXAMPLE.com')).toMatchObject({ isInstanceOwner: true });
    expect(await stores.accounts.findRole(organizationId, FIRST_VERSION.userId)).toBe('owner');
    expect(await stores.accounts.findToken(FIRST_VERSION.tokenHash, NOON_MS)).toMatchObject({
      organizationId,
      scopes: ['event:read'],
    });
    const { rows } = await version.relational.pool.query(
      "SELECT value FROM instance_settings WHERE key = 'secret'",
    );
    expect(rows).toEqual([{ value: 'kept' }]);
  });

  test('goes on unfiltered, and has the default settings for what else it could not decide yet', async () => {
    const [effective] = await stores.ingestSettings.listEffective(10);
    expect(effective).toMatchObject({ projectId, organizationId });
    const settings = await stores.ingestSettings.findProject(organizationId, projectId);
    expect(settings).toEqual(effective?.settings);
    expect(settings?.filters).toEqual(NO_FILTERS);
    expect(settings?.spike).toEqual(DEFAULT_INGEST_SETTINGS.spike);
    expect(await stores.ingestSettings.listQuotas(organizationId)).toEqual([]);
    expect((await stores.retention.findDays()).errors).toBeGreaterThan(0);
    expect(await stores.retention.listDrops(5)).toEqual([]);
  });

  test('keeps its issues with what people did to them, and its counts', async () => {
    expect(await stores.issues.findByShortId(organizationId, 'web-1')).toMatchObject({
      id: version.ids.openId,
      status: 'unresolved',
      substatus: 'new',
      priority: 'high',
      timesSeen: 2,
      assignee: { name: 'Ada' },
      firstRelease: 'web@1',
    });
    expect(
      await stores.issues.findByHash(organizationId, projectId, FIRST_VERSION.hashes.resolved),
    ).toMatchObject({
      id: version.ids.resolvedId,
      status: 'resolved',
      resolution: { kind: 'now' },
    });
    const search = (text: string) =>
      stores.issues.search(
        organizationId,
        [projectId],
        { kind: 'words', match: { kind: 'pattern', parts: ['', text, ''] }, isNegated: false },
        {
          sort: 'date',
          limit: 5,
          after: null,
        },
      );
    expect((await search('resolved')).issues.map(({ shortId }) => shortId)).toEqual(['WEB-2']);
    expect(await stores.issues.listActivity(organizationId, version.ids.openId, 5)).toMatchObject([
      { type: 'first_seen', at: NOON_MS },
    ]);
    const series = await stores.outcomes.series(organizationId, [projectId], RANGE, HOUR_MS);
    expect(series.map(({ outcome, reason, total }) => [outcome, reason, total])).toEqual([
      ['accepted', '', 3],
      ['invalid', 'duplicate', 2],
    ]);
  });

  test('knows its releases by their versions', async () => {
    const { rows } = await version.relational.pool.query(
      'SELECT version, package, version_order IS NOT NULL AS has_order FROM releases',
    );
    expect(rows).toEqual([{ version: 'web@1', package: 'web', has_order: true }]);
    const newest = await stores.releases.findNewest(organizationId, [{ projectId }]);
    expect([...newest.values()]).toEqual(['web@1']);
  });

  test('keeps its events, whole, and finds them by all that they are found by', async () => {
    const [newest, older] = FIRST_VERSION.events;
    const event = await stores.events.findEvent(scope, newest!.eventId);
    expect(event).toMatchObject({
      title: 'TypeError: x is undefined',
      occurredAt: newest!.occurredAt,
      receivedAt: NOON_MS,
      release: 'web@1',
      environment: 'production',
      user: { id: '42', email: null, username: 'ada', ip: '10.0.0.1' },
      payload: { exception: { values: [{ type: 'TypeError', value: "it's \\ undefined" }] } },
    });
    expect(event?.tags).toEqual([
      ['level', 'error'],
      ['browser', 'Firefox 140'],
    ]);
    const page = await stores.events.listIssueEvents(scope, issueEvents(), {
      limit: 5,
      before: null,
      range: null,
    });
    expect(page.events.map(({ eventId }) => eventId)).toEqual([newest!.eventId, older!.eventId]);
    const [activity] = await stores.events.countActivity(scope, [issueEvents()], RANGE, DAY_MS);
    expect([activity?.events, activity?.users]).toEqual([2, 1]);
    const tags = await stores.events.countTags(scope, issueEvents(), RANGE, {
      keys: 5,
      values: 5,
      events: 100,
    });
    expect(tags).toContainEqual(expect.objectContaining({ key: 'browser', total: 2 }));
    // Its parts are older than the index on the trace.
    const trace = await stores.telemetry.findTrace(scope, FIRST_VERSION.traceId, { spans: 5, errors: 5 });
    expect(trace.errors.map(({ eventId }) => eventId)).toEqual(
      [...FIRST_VERSION.events].reverse().map(({ eventId }) => eventId),
    );
    const days = await stores.storedDays.list();
    expect(days).toMatchObject([{ kind: 'events', day: '2026-03-01', rows: 3 }]);
  });

  test('keeps what was set aside, in a form that can still be digested', async () => {
    const [item] = await stores.quarantine.list(organizationId, 5);
    expect(item).toMatchObject({ reason: 'digest_failed', attempts: 3, replayedAt: null });
    const found = await stores.quarantine.find(item!.id);
    const record = decodeRecord(found!.record);
    expect(record).toMatchObject({ organizationId, projectId, receivedAtMs: NOON_MS, clientIp: '10.0.0.1' });
    expect(record.items).toMatchObject([{ type: 'event' }]);
    expect(Buffer.from(record.items[0]!.payload).toString()).toBe(FIRST_VERSION.quarantinedPayload);
  });

  test('goes on: the same events are known, new ones move the same issues, and telemetry has a place', async () => {
    const digest = createDigestStore(version.relational.db);
    expect(await digest.findPosition(FIRST_VERSION.spoolId)).toBe(FIRST_VERSION.position);
    const known = FIRST_VERSION.events.map((event) => ({ ...event, projectId }));
    expect((await stores.events.findStored(known)).size).toBe(known.length);

    const origin = { organizationId, projectId, keyId: version.ids.keyId };
    const events = [FIRST_VERSION.hashes.open, FIRST_VERSION.hashes.resolved].map((groupingHash) =>
      makeEvent({ ...origin, groupingHash, occurredAt: NOON_MS + MINUTE_MS, traceId: FIRST_VERSION.traceId }),
    );
    await stores.events.insertEvents(events, 'upgrade');
    const span = makeRow('spans', { ...origin, traceId: FIRST_VERSION.traceId });
    await stores.telemetry.insert({ spans: [span] }, 'upgrade');
    const stretch = {
      spoolId: FIRST_VERSION.spoolId,
      from: FIRST_VERSION.position,
      to: FIRST_VERSION.position + 2,
    };
    expect(
      await digest.assign(stretch, events, acceptedOutcomes(events), [], NOON_MS + MINUTE_MS),
    ).toMatchObject({ applied: true, newIssues: 0, regressions: 1 });

    expect(await stores.issues.findByShortId(organizationId, 'WEB-1')).toMatchObject({ timesSeen: 3 });
    expect(await stores.issues.findByShortId(organizationId, 'WEB-2')).toMatchObject({
      status: 'unresolved',
      substatus: 'regressed',
    });
    expect(await digest.findPosition(FIRST_VERSION.spoolId)).toBe(FIRST_VERSION.position + 2);
    const trace = await stores.telemetry.findTrace(scope, FIRST_VERSION.traceId, { spans: 5, errors: 10 });
    expect(trace.spans).toEqual([span]);
    expect(trace.errors).toHaveLength(5);
    const series = await stores.outcomes.series(organizationId, [projectId], RANGE, HOUR_MS);
    expect(series.find(({ outcome }) => outcome === 'accepted')?.total).toBe(5);
  });

  test('tells nobody of what was there before rules, and of what comes after them as they say', async () => {
    expect(await stores.alertRules.list(organizationId, [projectId])).toEqual([]);
    const draft = {
      name: 'Of all',
      environment: null,
      owner: null,
      definition: {
        kind: 'issue' as const,
        triggers: ['first_seen' as const, 'regression' as const],
        filters: [],
        filterMatch: 'all' as const,
        frequencyMinutes: 30,
        receivers: [{ kind: 'owners' as const, otherwise: 'members' as const }],
      },
    };
    const madeAt = NOON_MS + MINUTE_MS / 2;
    const rule = await stores.alertRules.create(organizationId, projectId, draft, null, madeAt);
    expect(await stores.alertOutbox.take(10)).toHaveLength(3);
    await evaluateOutbox(
      {
        stores,
        faults: parseFaultPoints(null),
        log: testLog,
        now: () => NOON_MS + HOUR_MS,
        counts: new CountMemory(),
      },
      10,
    );
    expect(await stores.alertOutbox.take(10)).toEqual([]);
    const page = { limit: 5, before: null };
    expect(await stores.alertRules.listFirings(organizationId, [rule!.id], page)).toMatchObject([
      { issueId: version.ids.resolvedId, cause: 'regression' },
    ]);
    const { rows } = await version.relational.pool.query(`SELECT type FROM activities
      WHERE id IN (SELECT activity_id FROM activity_news) OR id IN (SELECT activity_id FROM delivery_activities)`);
    expect(rows).toEqual([{ type: 'set_regression' }]);
    const { rows: mails } = await version.relational.pool.query('SELECT user_id FROM deliveries');
    expect(mails).toEqual([{ user_id: FIRST_VERSION.userId }]);
  });
});

test('a merge that was made before there were alerts is taken back: everything is whose it was, once', async () => {
  const before = await openFirstPostgres({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
  const { ids, relational } = before;
  const { pool } = relational;
  try {
    await before.upgradeTo(13);
    await pool.query(
      `INSERT INTO issue_links (issue_id, url, title, created_at)
       VALUES ($1, 'https://tracker.example/1', 'One', to_timestamp(0))`,
      [ids.resolvedId],
    );
    const readAll = async () => {
      const tables = [
        'SELECT id, issue_id FROM outbox ORDER BY id',
        'SELECT issue_id, type FROM activities ORDER BY id',
        'SELECT issue_id, url FROM issue_links ORDER BY id',
        'SELECT issue_id, content FROM issue_texts ORDER BY issue_id',
        'SELECT id, short_id, title FROM issues ORDER BY id',
        'SELECT hash, issue_id FROM grouping_hashes ORDER BY hash',
      ];
      return Promise.all(tables.map(async (text) => (await pool.query(text)).rows));
    };
    const apart = await readAll();
    const changeId = await mergeBeforeAlerts(pool, ids);
    expect(await readAll()).not.toEqual(apart);
    await migratePostgres(relational, testLog);
    await createRegroupStore(relational.db).undo(ids.organizationId, changeId, null, NOON_MS);
    expect(await readAll()).toEqual(apart);
  } finally {
    await before.drop();
  }
});
