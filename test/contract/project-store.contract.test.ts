import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTERNAL_KEY_LIMIT } from '#product/projects/store/key-admissions.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { HOSTILE_TEXT, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('ProjectStore', (engine) => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  test('an organization is found by its slug, and listed by slug', async () => {
    await stores.projects.createOrganization({ slug: 'zebra', name: HOSTILE_TEXT });
    const made = await stores.projects.createOrganization({ slug: 'aardvark', name: 'Aardvark' });
    expect(await stores.projects.findOrganization('aardvark')).toEqual(made);
    expect((await stores.projects.findOrganization('zebra'))?.name).toBe(HOSTILE_TEXT);
    expect(await stores.projects.findOrganization('nobody')).toBeNull();
    const slugs = (await stores.projects.listOrganizations()).map((organization) => organization.slug);
    expect(slugs.indexOf('aardvark')).toBeLessThan(slugs.indexOf('zebra'));
  });

  test('a slug that is taken is a conflict in the field slug', async () => {
    await stores.projects.createOrganization({ slug: 'taken', name: 'Taken' });
    await expect(stores.projects.createOrganization({ slug: 'taken', name: 'Other' })).rejects.toMatchObject({
      name: 'ErrataError',
      code: 'conflict',
      field: 'slug',
    });
    const tenant = await stores.createTenant();
    await expect(stores.createProject(tenant.organizationId, tenant.projectSlug)).rejects.toMatchObject({
      code: 'conflict',
      field: 'slug',
    });
  });

  test('two organizations may have projects of the same slug', async () => {
    const [a, b] = [await stores.createTenant(), await stores.createTenant()];
    const inA = await stores.createProject(a.organizationId, 'same');
    const inB = await stores.createProject(b.organizationId, 'same');
    expect((await stores.projects.findProject(a.organizationId, 'same'))?.id).toBe(inA.projectId);
    expect((await stores.projects.findProject(b.organizationId, 'same'))?.id).toBe(inB.projectId);
  });

  test('a project is made together with one active key of 32 hex digits', async () => {
    const tenant = await stores.createTenant();
    const keys = await stores.projects.listKeys(tenant.organizationId, tenant.projectId);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ id: tenant.keyId, projectId: tenant.projectId, isActive: true });
    expect(keys[0]?.publicKey).toMatch(/^[0-9a-f]{32}$/);
    expect(await stores.projects.findAdmission(keys[0]!.publicKey)).toEqual({
      keyId: tenant.keyId,
      projectId: tenant.projectId,
      organizationId: tenant.organizationId,
      publicKey: keys[0]!.publicKey,
      isActive: true,
      isInternal: false,
      hasFeedbackForm: false,
      formerProjectId: null,
      quotas: [],
    });
  });

  test('the key of the built-in project is known as such, and lets in no more than its limit', async () => {
    const { organizationId } = await stores.createTenant();
    const { key } = await stores.projects.createProject({
      organizationId,
      slug: 'errata-self',
      name: 'Errata',
      platform: null,
      isInternal: true,
    });
    expect(await stores.projects.findAdmission(key.publicKey)).toMatchObject({
      isInternal: true,
      quotas: [{ scope: 'key', ...INTERNAL_KEY_LIMIT }],
    });
    expect(INTERNAL_KEY_LIMIT.limit).toBeLessThanOrEqual(120);
  });

  test('a project of an organization that does not exist is not found, and leaves nothing behind', async () => {
    await expect(stores.createProject(999_999_999, 'lost')).rejects.toMatchObject({ code: 'not_found' });
    expect(await stores.projects.listProjects(999_999_999)).toEqual([]);
  });

  test('nothing of another organization is read or changed', async () => {
    const [mine, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const { projects } = stores;
    expect(await projects.findProject(mine.organizationId, theirs.projectSlug)).toBeNull();
    expect((await projects.listProjects(mine.organizationId)).map((project) => project.id)).toEqual([
      mine.projectId,
    ]);
    expect(await projects.listKeys(mine.organizationId, theirs.projectId)).toEqual([]);
    expect(await projects.setKeyActive(mine.organizationId, theirs.keyId, false)).toBeNull();
    expect(await projects.renameKey(mine.organizationId, theirs.keyId, 'stolen')).toBeNull();
    await expect(projects.createKey(mine.organizationId, theirs.projectId, 'stolen')).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await projects.listKeys(theirs.organizationId, theirs.projectId)).toMatchObject([
      { isActive: true },
    ]);
  });

  test('keys are listed oldest first and can be switched off and on', async () => {
    const { organizationId, projectId, keyId } = await stores.createTenant();
    const second = await stores.projects.createKey(organizationId, projectId, HOSTILE_TEXT);
    const keys = await stores.projects.listKeys(organizationId, projectId);
    expect(keys.map((key) => key.id)).toEqual([keyId, second.id]);
    expect(keys[1]?.label).toBe(HOSTILE_TEXT);
    expect(await stores.projects.setKeyActive(organizationId, second.id, false)).toMatchObject({
      isActive: false,
    });
    expect(await stores.projects.findAdmission(second.publicKey)).toMatchObject({ isActive: false });
    await stores.projects.setKeyActive(organizationId, second.id, true);
    expect(await stores.projects.renameKey(organizationId, second.id, 'Other')).toMatchObject({
      id: second.id,
      label: 'Other',
      isActive: true,
    });
    expect(await stores.projects.findAdmission(second.publicKey)).toMatchObject({ isActive: true });
  });

  test('keys of several projects come in pages, oldest first, none of another organization', async () => {
    const first = await stores.createTenant();
    const { organizationId } = first;
    const second = await stores.createProject(organizationId, 'second');
    const theirs = await stores.createTenant();
    const third = await stores.projects.createKey(organizationId, first.projectId, 'third');
    const projectIds = [first.projectId, second.projectId, theirs.projectId];
    const page = async (after: number, limit: number, of = projectIds) =>
      (await stores.projects.listKeysOf(organizationId, of, { after, limit })).map(({ id }) => id);
    expect(await page(0, 2)).toEqual([first.keyId, second.keyId]);
    expect(await page(second.keyId, 2)).toEqual([third.id]);
    expect(await page(0, 10, [second.projectId])).toEqual([second.keyId]);
    expect(await page(0, 10, [])).toEqual([]);
    const [listed] = await stores.projects.listKeys(organizationId, first.projectId);
    expect(await stores.projects.listKeysOf(organizationId, projectIds, { after: 0, limit: 1 })).toEqual([
      listed,
    ]);
  });

  test('a deleted key is gone for lists and for edges, and only its own organization deletes it', async () => {
    const mine = await stores.createTenant();
    const theirs = await stores.createTenant();
    const key = await stores.projects.createKey(mine.organizationId, mine.projectId, 'second');
    expect(await stores.projects.deleteKey(theirs.organizationId, key.id)).toBe(false);
    expect(await stores.projects.findAdmission(key.publicKey)).not.toBeNull();
    expect(await stores.projects.deleteKey(mine.organizationId, key.id)).toBe(true);
    expect(await stores.projects.findAdmission(key.publicKey)).toBeNull();
    expect(await stores.projects.deleteKey(mine.organizationId, key.id)).toBe(false);
    const left = await stores.projects.listKeys(mine.organizationId, mine.projectId);
    expect(left.map(({ id }) => id)).toEqual([mine.keyId]);
  });

  test('admissions hold every key, bounded by the limit', async () => {
    const tenant = await stores.createTenant();
    const all = await stores.projects.listAdmissions(10_000);
    expect(all.filter((admission) => admission.keyId === tenant.keyId)).toHaveLength(1);
    expect(all.length).toBeGreaterThan(1);
    expect(await stores.projects.listAdmissions(1)).toHaveLength(1);
    expect(await stores.projects.findAdmission('f'.repeat(32))).toBeNull();
  });

  test('the first event of a project is noted once', async () => {
    const tenant = await stores.createTenant();
    const find = () => stores.projects.findProject(tenant.organizationId, tenant.projectSlug);
    expect((await find())?.firstEventAt).toBeNull();
    await stores.assignNext([makeEvent({ ...tenant, groupingHash: 'a'.repeat(32) })], { nowMs: NOON_MS });
    expect((await find())?.firstEventAt).toBe(NOON_MS);
    await stores.assignNext([makeEvent({ ...tenant, groupingHash: 'b'.repeat(32) })], {
      nowMs: NOON_MS + 5_000,
    });
    expect((await find())?.firstEventAt).toBe(NOON_MS);
  });

  test('environments are listed newest first, once each, of the given projects only', async () => {
    const tenant = await stores.createTenant();
    const other = await stores.createProject(tenant.organizationId, 'other');
    const theirs = await stores.createTenant();
    await stores.assignNext([
      makeEvent({ ...tenant, environment: 'production', occurredAt: NOON_MS }),
      makeEvent({ ...tenant, environment: HOSTILE_TEXT, occurredAt: NOON_MS + 1_000 }),
      makeEvent({ ...other, environment: 'production', occurredAt: NOON_MS + 2_000 }),
      makeEvent({ ...other, environment: 'canary', occurredAt: NOON_MS + 3_000 }),
      makeEvent({ ...theirs, environment: 'secret' }),
    ]);
    const list = (projectIds: number[]) =>
      stores.projects.listEnvironments(tenant.organizationId, projectIds);
    expect(await list([tenant.projectId])).toEqual([HOSTILE_TEXT, 'production']);
    expect(await list([tenant.projectId, other.projectId])).toEqual(['canary', 'production', HOSTILE_TEXT]);
    expect(await list([theirs.projectId])).toEqual([]);
    expect(await list([])).toEqual([]);
    const projectIds = [tenant.projectId, other.projectId, theirs.projectId];
    const byProject = await stores.projects.listProjectEnvironments(tenant.organizationId, projectIds);
    expect(Object.fromEntries(byProject)).toEqual({
      [tenant.projectId]: [HOSTILE_TEXT, 'production'],
      [other.projectId]: ['canary', 'production'],
    });
  });
});
