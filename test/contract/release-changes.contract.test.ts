import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResolutionChoice } from '#domain/issues/issue.ts';
import { createDeployStore } from '#product/releases/deploy-store.ts';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('ReleaseStore: what people and builds change', (engine) => {
  let stores: PostgresStores;
  let releases: ReturnType<typeof createReleaseStore>;
  let deploys: ReturnType<typeof createDeployStore>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    releases = createReleaseStore(stores.database.db);
    deploys = createDeployStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const save = (tenant: Tenant, version: string, change = {}, projectIds = [tenant.projectId]) =>
    releases.save(tenant.organizationId, { version, projectIds, change }, NOON_MS);
  const find = (tenant: Tenant, version: string, projectIds = [tenant.projectId]) =>
    releases.findRelease(tenant.organizationId, projectIds, version);

  test('a release is made once, and gets more projects', async () => {
    const web = await stores.createTenant();
    const api = await stores.createProject(web.organizationId, `${web.projectSlug}-api`);
    const first = await save(web, 'web@1.2.3+7', { url: 'https://example.com/', startedAt: NOON_MS });
    expect(first).toMatchObject({ isNew: true, newProjectIds: [web.projectId] });
    const again = await save(web, 'web@1.2.3+7', { ref: 'v1' }, [web.projectId, api.projectId]);
    expect(again).toEqual({ releaseId: first.releaseId, isNew: false, newProjectIds: [api.projectId] });
    expect(await find(web, 'web@1.2.3+7', [web.projectId, api.projectId])).toMatchObject({
      id: first.releaseId,
      status: 'open',
      createdAt: NOON_MS,
      startedAt: NOON_MS,
      releasedAt: null,
      url: 'https://example.com/',
      ref: 'v1',
      projects: [{ projectId: web.projectId }, { projectId: api.projectId }],
    });
    expect(await releases.listProjectIds(web.organizationId, first.releaseId)).toHaveLength(2);
  });

  test('two builds that make it at once make one', async () => {
    const tenant = await stores.createTenant();
    const saved = await Promise.all(Array.from({ length: 8 }, () => save(tenant, 'web@1')));
    expect(new Set(saved.map(({ releaseId }) => releaseId)).size).toBe(1);
    expect(saved.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('projects of others are left out', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const saved = await save(own, 'web@1', {}, [own.projectId, theirs.projectId]);
    expect(saved.newProjectIds).toEqual([own.projectId]);
    expect(await releases.change(theirs.organizationId, saved.releaseId, { ref: 'x' })).toBe(false);
    expect(await releases.listProjectIds(theirs.organizationId, saved.releaseId)).toEqual([]);
    expect(await releases.delete(theirs.organizationId, saved.releaseId)).toBe(false);
    expect((await find(own, 'web@1'))?.ref).toBeNull();
  });

  test('an event of it finds the release that a build made, and the newest is the one that was released last', async () => {
    const tenant = await stores.createTenant();
    const { releaseId } = await save(tenant, 'a1b2c3');
    await stores.assignNext([
      makeEvent({ ...tenant, release: 'a1b2c3' }),
      makeEvent({ ...tenant, release: 'd4e5f6', occurredAt: NOON_MS + MINUTE_MS }),
    ]);
    expect((await find(tenant, 'a1b2c3'))?.id).toBe(releaseId);
    expect(await releases.countIssues(tenant.organizationId, releaseId)).toBe(1);
    await releases.change(tenant.organizationId, releaseId, { releasedAt: NOON_MS + 2 * MINUTE_MS });
    const newest = await releases.findNewest(tenant.organizationId, [tenant]);
    expect(newest.get(tenant)).toBe('a1b2c3');
  });

  test('a deleted release comes back with the next issue that names it', async () => {
    const tenant = await stores.createTenant();
    await stores.assignNext([makeEvent({ ...tenant, release: 'web@1' })]);
    const before = await find(tenant, 'web@1');
    expect(await releases.delete(tenant.organizationId, before!.id)).toBe(true);
    expect(await find(tenant, 'web@1')).toBeNull();
    const again = () =>
      stores.assignNext([
        makeEvent({
          ...tenant,
          release: 'web@1',
          groupingHash: 'b'.repeat(32),
          groupingHashes: ['b'.repeat(32)],
        }),
      ]);
    await again().catch(again);
    expect((await find(tenant, 'web@1'))?.id).toBeGreaterThan(before!.id);
  });

  test('a deleted release comes back with sessions that name it, minutes later', async () => {
    const tenant = await stores.createTenant();
    const spoolId = `sessions ${tenant.projectId}`;
    const named = { ...tenant, release: 'web@1', environment: null, at: NOON_MS };
    const happen = (place: number, nowMs: number) =>
      stores.digest.assign({ spoolId, from: place, to: place + 1 }, [], [], [], nowMs, [named]);
    await happen(0, NOON_MS);
    await releases.delete(tenant.organizationId, (await find(tenant, 'web@1'))!.id);
    await happen(1, NOON_MS + MINUTE_MS);
    await happen(2, NOON_MS + 6 * MINUTE_MS);
    expect(await find(tenant, 'web@1')).not.toBeNull();
  });

  test('issues that are resolved in it, or in the one after it', async () => {
    const tenant = await stores.createTenant();
    const { releaseId } = await save(tenant, 'web@1');
    const other = await save(tenant, 'web@0');
    const [issue] = await (async () => {
      await stores.assignNext([makeEvent({ ...tenant })]);
      return stores.listIssues(tenant);
    })();
    const count = () => releases.countResolvedIn(tenant.organizationId, releaseId);
    const resolve = (resolution: ResolutionChoice) =>
      stores.issues.update(
        tenant.organizationId,
        [issue!.id],
        { status: 'resolved', resolution },
        null,
        NOON_MS,
      );
    expect(await count()).toBe(0);
    await resolve({ kind: 'release', release: 'web@1' });
    expect(await count()).toBe(1);
    await resolve({ kind: 'next_release' });
    expect(await count()).toBe(1);
    expect(await releases.countResolvedIn(tenant.organizationId, other.releaseId)).toBe(0);
    const theirs = await stores.createTenant();
    expect(await releases.countResolvedIn(theirs.organizationId, releaseId)).toBe(0);
    await resolve({ kind: 'now' });
    expect(await count()).toBe(0);
  });

  test('archived ones are asked for by themselves', async () => {
    const tenant = await stores.createTenant();
    const { releaseId } = await save(tenant, 'old');
    await save(tenant, 'new');
    await releases.change(tenant.organizationId, releaseId, { status: 'archived' });
    const list = async (status: 'open' | 'archived' | null) =>
      (
        await releases.listPage(tenant.organizationId, [tenant.projectId], {
          search: '',
          versions: null,
          status,
          sort: 'date',
          limit: 10,
          after: null,
        })
      ).releases.map(({ version }) => version);
    expect(await list('open')).toEqual(['new']);
    expect(await list('archived')).toEqual(['old']);
    expect(await list(null)).toEqual(['new', 'old']);
  });

  test('deploys, the last one first, make their environment known', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    const { releaseId } = await save(tenant, 'web@1');
    const deploy = (environment: string, minutes: number) =>
      deploys.create(
        organizationId,
        {
          releaseId,
          environment,
          name: null,
          url: null,
          startedAt: null,
          finishedAt: NOON_MS + minutes * MINUTE_MS,
        },
        [projectId],
        NOON_MS,
      );
    await deploy('production', 2);
    await deploy('staging', 1);
    await deploy('production', 3);
    const first = await deploys.list(organizationId, releaseId, { limit: 2, after: null });
    expect(first.deploys.map(({ environment, finishedAt }) => [environment, finishedAt - NOON_MS])).toEqual([
      ['production', 3 * MINUTE_MS],
      ['production', 2 * MINUTE_MS],
    ]);
    const rest = await deploys.list(organizationId, releaseId, { limit: 2, after: first.next });
    expect([rest.deploys.map(({ environment }) => environment), rest.next]).toEqual([['staging'], null]);
    const facts = await releases.describe(organizationId, [projectId], [releaseId]);
    expect(facts.get(releaseId)).toMatchObject({
      deployCount: 3,
      lastDeploy: { finishedAt: NOON_MS + 3 * MINUTE_MS },
    });
    const { rows } = await stores.database.pool.query<{ name: string }>(
      'SELECT name FROM environments WHERE project_id = $1 ORDER BY name',
      [projectId],
    );
    expect(rows.map(({ name }) => name)).toEqual(['production', 'staging']);
    const firsts = (environments: readonly string[]) =>
      deploys.findFirst(organizationId, [releaseId], environments);
    expect(await firsts([])).toEqual(new Map([[releaseId, NOON_MS + MINUTE_MS]]));
    expect(await firsts(['production'])).toEqual(new Map([[releaseId, NOON_MS + 2 * MINUTE_MS]]));
    expect(await firsts(['other'])).toEqual(new Map());
    const between = (projectIds: readonly number[], fromMinute: number, toMinute: number) =>
      deploys.listBetween(
        organizationId,
        projectIds,
        { fromMs: NOON_MS + fromMinute * MINUTE_MS, toMs: NOON_MS + toMinute * MINUTE_MS },
        2,
      );
    expect(await between([projectId], 1, 3)).toMatchObject([
      { environment: 'production', version: 'web@1', finishedAt: NOON_MS + 2 * MINUTE_MS },
      { environment: 'staging', version: 'web@1' },
    ]);
    expect(await between([projectId], 0, 60)).toHaveLength(2);
    expect(await between([], 0, 60)).toEqual([]);
    const other = await stores.createTenant();
    expect(await deploys.findFirst(other.organizationId, [releaseId], [])).toEqual(new Map());
    expect(await deploys.list(other.organizationId, releaseId, { limit: 2, after: null })).toEqual({
      deploys: [],
      next: null,
    });
    expect(
      await deploys.create(
        other.organizationId,
        { releaseId, environment: 'x', name: null, url: null, startedAt: null, finishedAt: NOON_MS },
        [],
        NOON_MS,
      ),
    ).toBeNull();
  });
});
