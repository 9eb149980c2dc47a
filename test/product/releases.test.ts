import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { createLog } from '#lib/log.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { getRelease, getReleaseActivity } from '#product/releases/get-release.ts';
import { getReleaseSessions } from '#product/releases/get-release-sessions.ts';
import {
  listIssueReleases,
  listProjectReleases,
  listReleaseIssues,
  listReleases,
} from '#product/releases/list-releases.ts';
import { noteAdoptions } from '#product/releases/note-adoptions.ts';
import { sumHealth } from '#product/releases/release-row.ts';
import { HOUR_MS, hashOf, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { type NewEvent, openProduct, type Product } from './open-product.ts';

const RANGE = { fromMs: NOON_MS - 24 * HOUR_MS, toMs: NOON_MS + HOUR_MS };

describe('releases', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let api: Project;
  let ranked: Project;
  let member: Awaited<ReturnType<Product['join']>>;

  /** One minute after the other. */
  let minute = 0;
  const event = (release: string, title: string, part: Partial<NewEvent> = {}) => {
    minute += 1;
    return {
      projectId: web.id,
      release,
      title,
      groupingHash: hashOf(title),
      occurredAt: NOON_MS - HOUR_MS + minute * MINUTE_MS,
      environment: 'production',
      user: { id: `user ${title}`, email: null, username: null, ip: null },
      ...part,
    };
  };

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    api = await product.createProject(organization, 'api');
    ranked = await product.createProject(organization, 'ranked');
    member = await product.join(organization, 'member');
    await product.ingest(organization, [
      event('web@1.9.0', 'old'),
      event('web@1.10.0+7', 'old'),
      event('web@1.10.0+7', 'fresh', { environment: 'staging' }),
      event('web@1.10.0+7', 'fresh', { projectId: api.id, environment: null }),
      // A fix of the older line comes after the newer one.
      event('web@1.9.1', 'old'),
      event('3f2a/odd name', 'odd', { projectId: api.id }),
    ]);
    const session = (release: string, part: Parameters<typeof makeRow<'sessions'>>[1]) =>
      makeRow('sessions', { ...part, release, startedAt: NOON_MS - HOUR_MS });
    const own = { organizationId: organization.id, projectId: web.id };
    await product.stores.telemetry.insert(
      {
        sessions: [
          session('web@1.10.0+7', { ...own, exited: 8, crashed: 2 }),
          session('web@1.9.1', { ...own, exited: 10 }),
        ],
      },
      randomBytes(8).toString('hex'),
    );
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = {
    search: '',
    projectSlugs: [] as string[],
    environments: [] as string[],
    range: RANGE,
    sort: 'date' as const,
    limit: 10,
    cursor: null,
  };
  const versions = async (part: Partial<Parameters<typeof listReleases>[1]>) =>
    (await listReleases(member, { ...ask, ...part })).releases.map((release) => release.version);

  test('newest first, by date or by version, with a search, of projects and of environments', async () => {
    expect(await versions({})).toEqual(['3f2a/odd name', 'web@1.9.1', 'web@1.10.0+7', 'web@1.9.0']);
    expect(await versions({ sort: 'version' })).toEqual([
      'web@1.10.0+7',
      'web@1.9.1',
      'web@1.9.0',
      '3f2a/odd name',
    ]);
    expect(await versions({ search: 'WEB@1.9' })).toEqual(['web@1.9.1', 'web@1.9.0']);
    expect(await versions({ projectSlugs: ['api'] })).toEqual(['3f2a/odd name', 'web@1.10.0+7']);
    expect(await versions({ environments: ['staging'] })).toEqual(['web@1.10.0+7']);
    expect(await versions({ environments: ['nowhere'] })).toEqual([]);
    expect(await versions({ search: '%' })).toEqual([]);
  });

  test('pages go on where the last one ended, in both orders', async () => {
    for (const sort of ['date', 'version'] as const) {
      const all = await versions({ sort });
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await listReleases(member, { ...ask, sort, limit: 1, cursor });
        paged.push(...page.releases.map((release) => release.version));
        cursor = page.nextCursor;
      } while (cursor);
      expect(paged).toEqual(all);
    }
    const { nextCursor } = await listReleases(member, { ...ask, limit: 1 });
    await expect(listReleases(member, { ...ask, sort: 'version', cursor: nextCursor })).rejects.toThrow(
      /sorted by date/,
    );
  });

  test('a release with its issues, events, users and the health of its sessions', async () => {
    const release = await getRelease(member, { ...ask, version: 'web@1.10.0+7' });
    expect(release).toMatchObject({
      version: 'web@1.10.0+7',
      releasedAt: null,
      projectSlugs: ['api', 'web'],
      newIssues: 2,
      events: { events: 3, users: 2 },
      health: { sessions: 10, crashFreeSessions: 0.8, crashFreeUsers: null, share: 0.5, errored: 0 },
      adoption: { sessions: 10, users: 0, sessionShare: 0.5, userShare: null, stage: 'adopted' },
      newer: null,
    });
    expect(release.older).toMatchObject({
      version: 'web@1.9.1',
      newIssues: 0,
      events: { events: 1 },
      health: { crashFreeSessions: 1 },
    });
    const inWeb = await getRelease(member, { ...ask, version: 'web@1.10.0+7', projectSlugs: ['web'] });
    expect([inWeb.projectSlugs, inWeb.newIssues, inWeb.events?.events]).toEqual([['web'], 1, 2]);
  });

  test('of issues: those of their package, and none for issues of different packages', async () => {
    const inWeb = (name?: string | null) => ({ projectId: web.id, package: name });
    const list = async (...scopes: Parameters<typeof listProjectReleases>[1][number][]) => {
      const { releases, newest } = await listProjectReleases(member, scopes, '');
      return [releases.map(({ version }) => version), newest];
    };
    const own = [['web@1.9.1', 'web@1.10.0+7', 'web@1.9.0'], 'web@1.10.0+7'];
    expect(await list(inWeb('web'))).toEqual(own);
    expect(await list(inWeb('web'), inWeb(), inWeb('web'))).toEqual(own);
    expect(await list(inWeb('web'), inWeb(null))).toEqual([[], null]);
    expect(await list({ projectId: api.id, package: null })).toEqual([['3f2a/odd name'], '3f2a/odd name']);
    expect(await list(inWeb('web'), { projectId: api.id, package: 'web' })).toEqual([
      ['web@1.10.0+7'],
      'web@1.10.0+7',
    ]);
  });

  test('of one issue: those of the package it was seen in last, and whether it was seen in the newest', async () => {
    const { issues } = await listIssues(member, {
      query: 'old',
      projectSlugs: ['web'],
      sort: 'date',
      range: null,
      cursor: null,
      limit: 1,
    });
    const [old] = issues;
    expect(old?.lastRelease).toBe('web@1.9.1');
    expect(await listIssueReleases(member, old!)).toMatchObject({ newest: 'web@1.10.0+7', isInNewest: true });
    const odd = await listIssueReleases(member, { ...old!, projectId: api.id, lastRelease: '3f2a/odd name' });
    expect(odd).toMatchObject({
      releases: [{ version: '3f2a/odd name' }],
      newest: '3f2a/odd name',
      isInNewest: false,
    });
  });

  test('neighbours are by version within a package, else by date', async () => {
    const around = async (version: string) => {
      const { older, newer } = await getRelease(member, { ...ask, version });
      return [older?.version ?? null, newer];
    };
    expect(await around('web@1.9.0')).toEqual([null, 'web@1.9.1']);
    expect(await around('web@1.9.1')).toEqual(['web@1.9.0', 'web@1.10.0+7']);
    expect(await around('3f2a/odd name')).toEqual(['web@1.10.0+7', null]);
  });

  test('activity over time, and the environments that it came from', async () => {
    const activity = await getReleaseActivity(member, { ...ask, version: 'web@1.10.0+7' });
    expect(activity.trend.events).toBe(3);
    expect(activity.environments.map(({ value, events }) => [value, events]).sort()).toEqual([
      ['', 1],
      ['production', 1],
      ['staging', 1],
    ]);
    const staging = await getReleaseActivity(member, {
      ...ask,
      version: 'web@1.10.0+7',
      environments: ['staging'],
    });
    expect([staging.trend.events, staging.environments.length]).toEqual([1, 3]);
  });

  test('issues that are new, that came back, and that are resolved in it', async () => {
    const { issues } = await listIssues(member, {
      query: 'old',
      projectSlugs: ['web'],
      sort: 'date',
      range: null,
      cursor: null,
      limit: 1,
    });
    const issueIds = issues.map(({ id }) => id);
    await updateIssues(member, {
      issueIds,
      change: { status: 'resolved', resolution: { kind: 'release', release: 'web@1.10.0+7' } },
    });
    const titles = async (version: string) => {
      const found = await listReleaseIssues(member, { version, projectSlugs: [] });
      return (['new', 'regressed', 'resolved'] as const).map((which) =>
        found[which].issues.map((issue) => issue.title).sort(),
      );
    };
    expect(await titles('web@1.10.0+7')).toEqual([['fresh', 'fresh'], [], ['old']]);
    product.clock.nowMs = NOON_MS + MINUTE_MS;
    await product.ingest(organization, [
      event('web@1.11.0', 'old', { occurredAt: NOON_MS + MINUTE_MS, receivedAt: NOON_MS + MINUTE_MS }),
    ]);
    expect(await titles('web@1.11.0')).toEqual([[], ['old'], []]);
    expect(await titles('web@1.10.0+7')).toEqual([['fresh', 'fresh'], [], []]);
  });

  test('a release with few sessions has its health beside a thousand with more', async () => {
    const crowd = await product.createProject(organization, 'crowd');
    const own = { organizationId: organization.id, projectId: crowd.id, startedAt: NOON_MS - HOUR_MS };
    const sessions = Array.from({ length: 1_000 }, (_, index) =>
      makeRow('sessions', { ...own, release: `crowd@${index}.0.0`, exited: 2 }),
    );
    sessions.push(makeRow('sessions', { ...own, release: 'crowd@quiet', exited: 0, crashed: 1 }));
    await product.stores.telemetry.insert({ sessions }, randomBytes(8).toString('hex'));
    await product.ingest(organization, [event('crowd@quiet', 'crowded', { projectId: crowd.id })]);
    const quiet = await getRelease(member, { ...ask, projectSlugs: ['crowd'], version: 'crowd@quiet' });
    expect(quiet.health).toMatchObject({ sessions: 1, crashFreeSessions: 0, share: 1 / 2_001 });
    expect(quiet.adoption).toMatchObject({ sessions: 1, stage: 'low', adoptedAt: null });
  });

  test('sorted by how sessions went, releases with sessions are listed, the least crash-free first', async () => {
    const own = { organizationId: organization.id, projectId: ranked.id, startedAt: NOON_MS - HOUR_MS };
    await product.stores.telemetry.insert(
      {
        sessions: [
          makeRow('sessions', { ...own, release: 'ranked@1', exited: 90, crashed: 10 }),
          makeRow('sessions', { ...own, release: 'ranked@2', exited: 500, errored: 5 }),
          makeRow('sessions', { ...own, release: 'ranked@3', exited: 1, crashed: 1 }),
        ],
      },
      randomBytes(8).toString('hex'),
    );
    await product.ingest(
      organization,
      ['ranked@1', 'ranked@2', 'ranked@3', 'ranked@none'].map((release) =>
        event(release, 'ranked', { projectId: ranked.id }),
      ),
    );
    const list = (sort: Parameters<typeof listReleases>[1]['sort'], part: object = {}) =>
      listReleases(member, { ...ask, projectSlugs: ['ranked'], sort, ...part });
    const names = async (...asked: Parameters<typeof list>) =>
      (await list(...asked)).releases.map(({ version }) => version.slice('ranked@'.length));
    expect(await names('crash_free_sessions')).toEqual(['3', '1', '2']);
    expect(await names('sessions')).toEqual(['2', '1', '3']);
    expect(await names('adoption', { search: '@1' })).toEqual(['1']);
    const first = await list('sessions', { limit: 2 });
    expect(first.releases[0]?.sessionTrend.reduce((sum, count) => sum + count, 0)).toBe(505);
    expect(await names('sessions', { cursor: first.nextCursor })).toEqual(['3']);
    await expect(list('adoption', { cursor: first.nextCursor })).rejects.toThrow('sorted by sessions');
  });

  test('sessions over time are beside those of the release before, or of all others', async () => {
    const sessions = (comparedWith: string | null | undefined) =>
      getReleaseSessions(member, { ...ask, version: 'web@1.10.0+7', comparedWith });
    const before = await sessions('web@1.9.1');
    expect(before.own.totals).toMatchObject({
      ...{ sessions: 10, healthy: 8, crashed: 2, crashFreeSessions: 0.8, crashFreeUsers: null },
      ...{ aggregated: 0, durations: null },
    });
    expect(before.own.buckets.filter((bucket) => bucket !== null)).toHaveLength(1);
    expect(before.compared?.totals).toMatchObject({ sessions: 10, crashFreeSessions: 1 });
    expect((await sessions(undefined)).compared).toBeNull();
    expect((await sessions(null)).compared?.totals.sessions).toBeGreaterThan(2_000);
    const staging = await getReleaseSessions(member, {
      ...{ ...ask, environments: ['staging'] },
      ...{ version: 'web@1.10.0+7', comparedWith: undefined },
    });
    expect(staging.own.totals.crashFreeSessions).toBeNull();
  });

  test('a release that was adopted is replaced when others have its place, and not by a quiet night', async () => {
    const spreading = await product.createProject(organization, 'spreading');
    const own = { organizationId: organization.id, projectId: spreading.id, environment: 'production' };
    const store = async (release: string, exited: number, startedAt: number) =>
      product.stores.telemetry.insert(
        { sessions: [makeRow('sessions', { ...own, release, exited, startedAt })] },
        randomBytes(8).toString('hex'),
      );
    await product.ingest(
      organization,
      ['spreading@1', 'spreading@2'].map((release) => event(release, 'spread', { projectId: spreading.id })),
    );
    const noteAt = (nowMs: number) =>
      noteAdoptions({ stores: product.stores, now: () => nowMs, log: createLog('test', 'fatal') });
    const stageAt = async (nowMs: number, version: string) => {
      const release = await getRelease(
        { ...member, now: () => nowMs },
        { ...ask, projectSlugs: ['spreading'], version },
      );
      return release.adoption;
    };
    const later = NOON_MS + 12 * HOUR_MS;
    await store('spreading@1', 100, NOON_MS - HOUR_MS);
    await noteAt(NOON_MS);
    expect(await stageAt(NOON_MS, 'spreading@1')).toMatchObject({ stage: 'adopted', adoptedAt: NOON_MS });
    await noteAt(later - HOUR_MS);
    expect((await stageAt(later - HOUR_MS, 'spreading@1')).stage).toBe('adopted');
    await store('spreading@2', 95, later - HOUR_MS);
    await store('spreading@1', 5, later - HOUR_MS);
    await noteAt(later);
    expect(await stageAt(later, 'spreading@1')).toMatchObject({ stage: 'replaced', replacedAt: later });
    expect(await stageAt(later, 'spreading@2')).toMatchObject({ stage: 'adopted', adoptedAt: later });
    expect((await stageAt(later, 'spreading@2')).sessionShare).toBeCloseTo(95 / 200);
  });

  test('another organization has none of it', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    expect((await listReleases(stranger, ask)).releases).toEqual([]);
    await expect(getRelease(stranger, { ...ask, version: 'web@1.9.0' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('the share of a release is of the sessions of the projects that the release is of', () => {
    const row = { exited: 0, errored: 0, abnormal: 0, unhandled: 0, users: 0, crashedUsers: 0 };
    const rates = { crashFreeSessions: null, crashFreeUsers: null };
    const rows = [
      { ...row, ...rates, projectId: 1, release: 'a', crashed: 1, sessions: 4, users: 2, crashedUsers: 1 },
      { ...row, ...rates, projectId: 1, release: 'b', crashed: 0, sessions: 4 },
      { ...row, ...rates, projectId: 2, release: 'b', crashed: 0, sessions: 100 },
    ];
    const sessions = new Map([
      [1, 8],
      [2, 100],
    ]);
    expect(sumHealth(rows, sessions, 'a')).toEqual({
      sessions: 4,
      users: 2,
      crashFreeSessions: 0.75,
      crashFreeUsers: 0.5,
      errored: 0,
      share: 0.5,
    });
    expect(sumHealth(rows, sessions, 'c')).toBeNull();
  });
});
