import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import {
  DEFAULT_INGEST_SETTINGS,
  DEFAULT_ORGANIZATION_PRIVACY,
  NO_FILTERS,
  type PrivacySettings,
} from '#protocol/ingest-settings.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { Quota } from '#protocol/rate-limits.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { HOSTILE_TEXT, NOON_MS } from './sample-events.ts';

const rule = (selector: string): PrivacySettings['advancedRules'][number] => ({
  method: 'mask',
  type: 'email',
  pattern: null,
  placeholder: null,
  selector,
});

describeOnPostgres('IngestSettingsStore', (engine) => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const effective = async (tenant: Tenant) =>
    (await stores.ingestSettings.listEffective(10_000)).find(
      ({ projectId }) => projectId === tenant.projectId,
    );

  test('a new project has the defaults, and an organization demands nothing', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    expect(await stores.ingestSettings.findProject(organizationId, projectId)).toEqual(
      DEFAULT_INGEST_SETTINGS,
    );
    expect(await stores.ingestSettings.findOrganizationPrivacy(organizationId)).toEqual(
      DEFAULT_ORGANIZATION_PRIVACY,
    );
    expect(await effective(tenant)).toEqual({
      organizationId,
      projectId,
      settings: DEFAULT_INGEST_SETTINGS,
    });
  });

  test('a change replaces its part and leaves the others', async () => {
    const { organizationId, projectId } = await stores.createTenant();
    const filters = { ...NO_FILTERS, localhost: true, errorMessages: [HOSTILE_TEXT, '*'] };
    const spike = { isEnabled: false, bodiesPerHour: 5 };
    await stores.ingestSettings.updateProject(organizationId, projectId, { filters });
    expect(await stores.ingestSettings.updateProject(organizationId, projectId, { spike })).toEqual({
      ...DEFAULT_INGEST_SETTINGS,
      filters,
      spike,
    });
    const back = await stores.ingestSettings.updateProject(organizationId, projectId, {
      filters: DEFAULT_INGEST_SETTINGS.filters,
    });
    expect(back).toEqual({ ...DEFAULT_INGEST_SETTINGS, spike });
    expect(await stores.ingestSettings.findProject(organizationId, projectId)).toEqual(back);
  });

  test('two people who change different parts at once both keep what they decided', async () => {
    const { organizationId, projectId } = await stores.createTenant();
    const spike = { isEnabled: false, bodiesPerHour: 7 };
    const filters = { ...NO_FILTERS, localhost: true };
    const privacy = { ...DEFAULT_INGEST_SETTINGS.privacy, scrubIpAddresses: true };
    const performance = { isEnabled: false, disabledDetectors: ['performance_slow_db_query'] as const };
    await Promise.all(
      [{ spike }, { filters }, { privacy }, { performance }].map((change) =>
        stores.ingestSettings.updateProject(organizationId, projectId, change),
      ),
    );
    expect(await stores.ingestSettings.findProject(organizationId, projectId)).toEqual({
      filters,
      privacy,
      spike,
      performance,
    });
  });

  test('only what differs from the defaults is kept, and what another version wrote is ignored', async () => {
    const { organizationId, projectId } = await stores.createTenant();
    await stores.ingestSettings.updateProject(organizationId, projectId, {
      spike: { ...DEFAULT_INGEST_SETTINGS.spike, bodiesPerHour: 9 },
    });
    const { db } = stores.database;
    const row = await db
      .selectFrom('projects')
      .select('ingest_settings')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    expect(row.ingest_settings).toEqual({ spike: { bodiesPerHour: 9 } });

    const foreign = {
      filters: {
        localhost: 'yes',
        legacyBrowsers: ['ie', 'netscape'],
        releases: [1, '1.*'],
        fromTheFuture: true,
      },
      privacy: { advancedRules: [{ method: 'burn' }, rule('$string')] },
      spike: { isEnabled: false, bodiesPerHour: null },
      performance: { disabledDetectors: ['performance_slow_db_query', 'performance_of_the_future', 1] },
      unknown: {},
    };
    await db
      .updateTable('projects')
      .set({ ingest_settings: JSON.stringify(foreign) })
      .where('id', '=', projectId)
      .execute();
    expect(await stores.ingestSettings.findProject(organizationId, projectId)).toEqual({
      filters: { ...DEFAULT_INGEST_SETTINGS.filters, legacyBrowsers: ['ie'], releases: ['1.*'] },
      privacy: { ...DEFAULT_INGEST_SETTINGS.privacy, advancedRules: [rule('$string')] },
      spike: { isEnabled: false, bodiesPerHour: DEFAULT_INGEST_SETTINGS.spike.bodiesPerHour },
      performance: { isEnabled: true, disabledDetectors: ['performance_slow_db_query'] },
    });
  });

  test("an organization's privacy rules reach every project of it, before the project's own", async () => {
    const tenant = await stores.createTenant();
    const sibling = await stores.createProject(tenant.organizationId, 'sibling');
    const stranger = await stores.createTenant();
    const demanded: PrivacySettings = {
      defaultRules: true,
      scrubIpAddresses: true,
      sensitiveFields: ['ssn', 'shared'],
      safeFields: ['session_id'],
      advancedRules: [rule('organization')],
      textAttachments: 'discard',
      recordings: 'keep',
    };
    expect(await stores.ingestSettings.updateOrganizationPrivacy(tenant.organizationId, demanded)).toEqual(
      demanded,
    );
    expect(await stores.ingestSettings.findOrganizationPrivacy(tenant.organizationId)).toEqual(demanded);
    const own: PrivacySettings = {
      defaultRules: false,
      scrubIpAddresses: false,
      sensitiveFields: ['shared', 'iban'],
      safeFields: [],
      advancedRules: [rule('project')],
      textAttachments: 'scrub',
      recordings: 'scrub',
    };
    await stores.ingestSettings.updateProject(tenant.organizationId, tenant.projectId, { privacy: own });
    expect((await effective(tenant))?.settings.privacy).toEqual({
      defaultRules: true,
      scrubIpAddresses: true,
      sensitiveFields: ['ssn', 'shared', 'iban'],
      safeFields: ['session_id'],
      advancedRules: [rule('organization'), rule('project')],
      textAttachments: 'discard',
      recordings: 'scrub',
    });
    expect((await effective(sibling))?.settings.privacy.scrubIpAddresses).toBe(true);
    expect((await effective(stranger))?.settings.privacy).toEqual(DEFAULT_INGEST_SETTINGS.privacy);
    // The project's own settings stay as they were decided.
    expect(
      (await stores.ingestSettings.findProject(tenant.organizationId, tenant.projectId))?.privacy,
    ).toEqual(own);
  });

  test('a project may leave the default rules out when its organization does not demand them', async () => {
    const tenant = await stores.createTenant();
    const privacy = { ...DEFAULT_INGEST_SETTINGS.privacy, defaultRules: false };
    await stores.ingestSettings.updateProject(tenant.organizationId, tenant.projectId, { privacy });
    expect((await effective(tenant))?.settings.privacy.defaultRules).toBe(false);
  });

  test('nothing of another organization is read or changed', async () => {
    const [mine, theirs] = [await stores.createTenant(), await stores.createTenant()];
    const { ingestSettings } = stores;
    expect(await ingestSettings.findProject(mine.organizationId, theirs.projectId)).toBeNull();
    const spike = { isEnabled: false, bodiesPerHour: 1 };
    expect(await ingestSettings.updateProject(mine.organizationId, theirs.projectId, { spike })).toBeNull();
    expect((await effective(theirs))?.settings.spike).toEqual(DEFAULT_INGEST_SETTINGS.spike);
    for (const owner of [
      { scope: 'project', projectId: theirs.projectId },
      { scope: 'key', keyId: theirs.keyId },
    ] as const) {
      await expect(ingestSettings.replaceQuotas(mine.organizationId, owner, [])).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await ingestSettings.replaceQuotas(theirs.organizationId, { scope: 'organization' }, [
      { categories: [], limit: 1, windowSeconds: 60 },
    ]);
    expect(await ingestSettings.listQuotas(mine.organizationId)).toEqual([]);
  });

  test('limits are replaced per owner, and reach the admissions of the keys they belong to', async () => {
    const tenant = await stores.createTenant();
    const sibling = await stores.createProject(tenant.organizationId, 'sibling');
    const { organizationId, projectId, keyId } = tenant;
    const replace = stores.ingestSettings.replaceQuotas;
    await replace(organizationId, { scope: 'organization' }, [
      { categories: ['transaction', 'error'], limit: 1_000, windowSeconds: 86_400 },
      { categories: [], limit: 2_000, windowSeconds: 3_600 },
    ]);
    await replace(organizationId, { scope: 'project', projectId }, [
      { categories: ['log_item'], limit: 0, windowSeconds: 60 },
    ]);
    await replace(organizationId, { scope: 'key', keyId }, [{ categories: [], limit: 5, windowSeconds: 60 }]);
    expect(
      await replace(organizationId, { scope: 'key', keyId }, [
        { categories: [], limit: 6, windowSeconds: 60 },
      ]),
    ).toMatchObject([{ owner: { scope: 'key', keyId }, categories: [], limit: 6, windowSeconds: 60 }]);
    expect(await stores.ingestSettings.listQuotas(organizationId)).toHaveLength(4);

    const organizationQuotas: Quota[] = [
      {
        id: `organization:${organizationId}:86400:error,transaction`,
        scope: 'organization',
        ownerId: organizationId,
        categories: ['error', 'transaction'],
        limit: 1_000,
        windowSeconds: 86_400,
        reasonCode: 'org_quota',
      },
      {
        id: `organization:${organizationId}:3600:`,
        scope: 'organization',
        ownerId: organizationId,
        categories: [],
        limit: 2_000,
        windowSeconds: 3_600,
        reasonCode: 'org_quota',
      },
    ];
    const admissions = await stores.projects.listAdmissions(10_000);
    const quotasOf = (key: number) => admissions.find((each) => each.keyId === key)?.quotas;
    expect(quotasOf(keyId)).toEqual([
      {
        id: `key:${keyId}:60:`,
        scope: 'key',
        ownerId: keyId,
        categories: [],
        limit: 6,
        windowSeconds: 60,
        reasonCode: 'key_quota',
      },
      {
        id: `project:${projectId}:60:log_item`,
        scope: 'project',
        ownerId: projectId,
        categories: ['log_item'],
        limit: 0,
        windowSeconds: 60,
        reasonCode: 'project_quota',
      },
      ...organizationQuotas,
    ]);
    expect(quotasOf(sibling.keyId)).toEqual(organizationQuotas);
    const [key] = await stores.projects.listKeys(organizationId, projectId);
    expect((await stores.projects.findAdmission(key!.publicKey))?.quotas).toEqual(quotasOf(keyId));

    await replace(organizationId, { scope: 'organization' }, []);
    expect((await stores.projects.findAdmission(key!.publicKey))?.quotas).toHaveLength(2);
  });

  test('two limits of one owner may not count the same; then the former ones stay', async () => {
    const { organizationId } = await stores.createTenant();
    const owner = { scope: 'organization' } as const;
    await stores.ingestSettings.replaceQuotas(organizationId, owner, [
      { categories: ['error'], limit: 1, windowSeconds: 60 },
    ]);
    await expect(
      stores.ingestSettings.replaceQuotas(organizationId, owner, [
        { categories: ['error', 'session'], limit: 1, windowSeconds: 60 },
        { categories: ['session', 'error'], limit: 2, windowSeconds: 60 },
      ]),
    ).rejects.toMatchObject({ code: 'conflict', field: 'quotas' });
    expect(await stores.ingestSettings.listQuotas(organizationId)).toMatchObject([
      { categories: ['error'], limit: 1 },
    ]);
  });

  test('the key of an internal project is limited without a row, until somebody limits all that it sends', async () => {
    const { organizationId } = await stores.createTenant();
    const { project, key } = await stores.projects.createProject({
      organizationId,
      slug: 'self',
      name: 'self',
      platform: null,
      isInternal: true,
    });
    const find = async () => (await stores.projects.findAdmission(key.publicKey))?.quotas;
    expect(await find()).toMatchObject([
      { scope: 'key', ownerId: key.id, categories: [], limit: 120, windowSeconds: 60 },
    ]);
    const owner = { scope: 'key', keyId: key.id } as const;
    await stores.ingestSettings.replaceQuotas(organizationId, owner, [
      { categories: ['error'], limit: 5, windowSeconds: 60 },
    ]);
    expect(await find()).toMatchObject([{ limit: 5 }, { categories: [], limit: 120 }]);
    await stores.ingestSettings.replaceQuotas(organizationId, owner, [
      { categories: [], limit: 7, windowSeconds: 3_600 },
    ]);
    expect(await find()).toMatchObject([{ limit: 7, windowSeconds: 3_600 }]);
    expect(project.isInternal).toBe(true);
  });

  test('accepted items are counted for each limit: its owner, its categories, from its hour', async () => {
    const tenant = await stores.createTenant();
    const sibling = await stores.createProject(tenant.organizationId, 'sibling');
    const stranger = await stores.createTenant();
    const outcome = (of: Tenant, change: Partial<OutcomeCount> = {}): OutcomeCount => ({
      organizationId: of.organizationId,
      projectId: of.projectId,
      keyId: of.keyId,
      at: NOON_MS,
      category: 'error',
      outcome: 'accepted',
      reason: '',
      quantity: 1,
      ...change,
    });
    await stores.assignNext([], {
      outcomes: [
        outcome(tenant, { quantity: 1 }),
        outcome(tenant, { quantity: 10, category: 'log_item' }),
        outcome(tenant, { quantity: 100, keyId: tenant.keyId + 100_000 }),
        outcome(tenant, { quantity: 1_000, at: NOON_MS - HOUR_MS }),
        outcome(tenant, { quantity: 10_000, outcome: 'rate_limited', reason: 'key_quota' }),
        outcome(sibling, { quantity: 100_000 }),
        outcome(stranger, { quantity: 1_000_000 }),
      ],
    });
    const quota = (scope: Quota['scope'], ownerId: number, categories: Quota['categories'] = []): Quota => ({
      id: `${scope}:${ownerId}`,
      scope,
      ownerId,
      categories,
      limit: 1,
      windowSeconds: 3_600,
      reasonCode: '',
    });
    const fromMs = NOON_MS;
    expect(
      await stores.ingestSettings.countAccepted([
        { quota: quota('key', tenant.keyId), fromMs },
        { quota: quota('key', tenant.keyId, ['error', 'session']), fromMs },
        { quota: quota('project', tenant.projectId, ['error']), fromMs },
        { quota: quota('organization', tenant.organizationId, ['error']), fromMs },
        { quota: quota('organization', tenant.organizationId), fromMs: NOON_MS - HOUR_MS },
        { quota: quota('project', 999_999_999), fromMs },
        { quota: quota('organization', tenant.organizationId, ['session']), fromMs },
      ]),
    ).toEqual([11, 1, 101, 100_101, 101_111, 0, 0]);
    expect(await stores.ingestSettings.countAccepted([])).toEqual([]);
  });
});
