import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReleaseStore } from '#product/releases/store/release-store.ts';
import { compareReleases } from '#protocol/release-version.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

const RUNS = 25;

describeOnPostgres('ReleaseStore', (engine) => {
  let stores: PostgresStores;
  let releases: ReturnType<typeof createReleaseStore>;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    releases = createReleaseStore(stores.database.db);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  /** Seen one minute after the other. */
  const see = (tenant: Tenant, versions: readonly string[]) =>
    stores.assignNext(
      versions.map((release, index) =>
        makeEvent({ ...tenant, release, occurredAt: NOON_MS + index * MINUTE_MS }),
      ),
    );

  const list = async (tenant: Tenant, projectIds: readonly number[], search = '') =>
    (await releases.listReleases(tenant.organizationId, projectIds, { search, limit: 10 })).map(
      ({ version }) => version,
    );

  test('lists what all the projects have seen, newest first, by a part of the name', async () => {
    const web = await stores.createTenant();
    const api = await stores.createProject(web.organizationId, `${web.projectSlug}-api`);
    await see(web, ['web@1', 'both@1_0', 'web@2']);
    await see(api, ['api@1', 'both@1_0']);
    expect(await list(web, [web.projectId])).toEqual(['web@2', 'both@1_0', 'web@1']);
    expect(await list(web, [web.projectId, api.projectId, web.projectId])).toEqual(['both@1_0']);
    expect(await list(web, [web.projectId], 'WEB')).toEqual(['web@2', 'web@1']);
    expect(await list(web, [web.projectId], '_')).toEqual(['both@1_0']);
    const [newest] = await releases.listReleases(web.organizationId, [web.projectId], {
      search: '',
      limit: 1,
    });
    expect(newest).toEqual({ version: 'web@2', dateMs: NOON_MS + 2 * MINUTE_MS });
  });

  test('lists and finds the releases of one package alone; those without a package are a group of their own', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    await see(tenant, ['web@1.10.0', 'web@1.9.0', 'a1b2', '2.0', 'backend@9.0.0']);
    for (const [name, versions, newest] of [
      ['web', ['web@1.9.0', 'web@1.10.0'], 'web@1.10.0'],
      ['backend', ['backend@9.0.0'], 'backend@9.0.0'],
      [null, ['2.0', 'a1b2'], '2.0'],
      ['mobile', [], undefined],
    ] as const) {
      const filter = { search: '', package: name, limit: 10 };
      const listed = await releases.listReleases(organizationId, [projectId], filter);
      expect(listed.map(({ version }) => version)).toEqual(versions);
      const scope = { projectId, package: name };
      const found = await releases.findNewest(organizationId, [tenant, scope, { ...scope }]);
      expect([found.get(tenant), found.get(scope)]).toEqual(['backend@9.0.0', newest]);
      expect(found.size).toBe(newest === undefined ? 1 : 3);
    }
  });

  test('tells nothing of another organization', async () => {
    const [own, theirs] = [await stores.createTenant(), await stores.createTenant()];
    await see(theirs, ['secret@1']);
    expect(await list(own, [theirs.projectId])).toEqual([]);
    expect((await releases.findNewest(own.organizationId, [theirs])).size).toBe(0);
    expect((await releases.findNewest(theirs.organizationId, [theirs])).size).toBe(1);
  });

  test('knows which releases an issue was seen in, of its own organization', async () => {
    const tenant = await stores.createTenant();
    await see(tenant, ['web@1', 'web@2']);
    const { id } = (await stores.listIssues(tenant))[0]!;
    expect(await releases.hasIssue(tenant.organizationId, 'web@2', id)).toBe(true);
    expect(await releases.hasIssue(tenant.organizationId, 'web@3', id)).toBe(false);
    expect(await releases.hasIssue((await stores.createTenant()).organizationId, 'web@2', id)).toBe(false);
  });

  test('the newest is by version within a package, by date between packages and names without a version', async () => {
    for (const [versions, newest] of [
      [['web@2.0', 'web@10.0', 'web@9.0'], 'web@10.0'],
      [['web@2.0', 'web@2.0-rc.1'], 'web@2.0'],
      [['web@9.0', 'api@1.0', 'api@0.9'], 'api@1.0'],
      [['a1b2', 'c3d4'], 'c3d4'],
      [['web@9.0', 'c3d4'], 'c3d4'],
      [['1.10.0', '1.9.0'], '1.10.0'],
    ] as const) {
      const tenant = await stores.createTenant();
      await see(tenant, versions);
      const found = await releases.findNewest(tenant.organizationId, [tenant]);
      expect([versions, found.get(tenant)]).toEqual([versions, newest]);
    }
  });

  test('the database orders versions as the program does', async () => {
    const part = fc.nat(120);
    const version = fc
      .tuple(
        part,
        part,
        fc.option(part),
        fc.option(fc.constantFrom('-rc.1', '-rc.10', '-rc.9', 'a1', '-x')),
        fc.option(part),
      )
      .map(([major, minor, patch, stage, build]) =>
        [
          `web@${major}.${minor}`,
          patch === null ? '' : `.${patch}`,
          stage ?? '',
          build === null ? '' : `+${build}`,
        ].join(''),
      );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(version, { minLength: 1, maxLength: 8 }), async (versions) => {
        const tenant = await stores.createTenant();
        await see(tenant, versions);
        const dated = versions.map((name, index) => ({ version: name, dateMs: NOON_MS + index * MINUTE_MS }));
        const highest = dated.reduce((a, b) => (compareReleases(a, b) >= 0 ? a : b));
        const found = await releases.findNewest(tenant.organizationId, [tenant]);
        expect(found.get(tenant)).toBe(highest.version);
      }),
      { numRuns: RUNS },
    );
  });
});
