import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutcomeCount } from '#protocol/outcome.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOON_MS } from './sample-events.ts';

describeOnPostgres('OutcomeStore', (engine) => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const outcome = (tenant: Tenant, overrides: Partial<OutcomeCount> = {}): OutcomeCount => ({
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    keyId: tenant.keyId,
    at: NOON_MS,
    category: 'error',
    outcome: 'accepted',
    reason: '',
    quantity: 1,
    ...overrides,
  });
  const write = (...outcomes: OutcomeCount[]) => stores.assignNext([], { outcomes });

  test('quantities add up per hour, over batches and keys, in half-open ranges', async () => {
    const tenant = await stores.createTenant();
    await write(
      outcome(tenant, { at: NOON_MS + MINUTE_MS }),
      outcome(tenant, { at: NOON_MS + 59 * MINUTE_MS, quantity: 4 }),
      outcome(tenant, { at: NOON_MS + HOUR_MS, quantity: 10 }),
      outcome(tenant, { at: NOON_MS - 1, quantity: 100 }),
    );
    await write(outcome(tenant, { keyId: null, quantity: 1_000 }));
    const series = (fromMs: number, toMs: number, bucketMs: number) =>
      stores.outcomes.series(tenant.organizationId, [tenant.projectId], { fromMs, toMs }, bucketMs);
    expect(await series(NOON_MS - HOUR_MS, NOON_MS + 2 * HOUR_MS, HOUR_MS)).toEqual([
      { category: 'error', outcome: 'accepted', reason: '', buckets: [100, 1_005, 10], total: 1_115 },
    ]);
    expect(await series(NOON_MS, NOON_MS + HOUR_MS, HOUR_MS)).toMatchObject([{ buckets: [1_005] }]);
    expect(await series(NOON_MS - 12 * HOUR_MS, NOON_MS + 12 * HOUR_MS, 12 * HOUR_MS)).toMatchObject([
      { buckets: [100, 1_015] },
    ]);
  });

  test('there is one series per category, outcome and reason', async () => {
    const tenant = await stores.createTenant();
    await write(
      outcome(tenant),
      outcome(tenant, { category: 'transaction', outcome: 'invalid', reason: 'unsupported_item' }),
      outcome(tenant, { outcome: 'invalid', reason: 'duplicate', quantity: 2 }),
      outcome(tenant, { outcome: 'client_discard', reason: `it's "100%" \\ _ 😀`, quantity: 3 }),
    );
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const series = await stores.outcomes.series(tenant.organizationId, [tenant.projectId], range, HOUR_MS);
    expect(series).toHaveLength(4);
    expect(series).toContainEqual({
      category: 'error',
      outcome: 'client_discard',
      reason: `it's "100%" \\ _ 😀`,
      buckets: [3],
      total: 3,
    });
  });

  test('series of each project by itself add up to those of all', async () => {
    const tenant = await stores.createTenant();
    const { organizationId, projectId } = tenant;
    const other = await stores.createProject(organizationId, 'other');
    const theirs = await stores.createTenant();
    await write(
      outcome(tenant, { quantity: 2 }),
      outcome(other, { quantity: 3 }),
      outcome(other, { at: NOON_MS + HOUR_MS, quantity: 4 }),
      outcome(theirs, { quantity: 50 }),
    );
    const range = { fromMs: NOON_MS, toMs: NOON_MS + 2 * HOUR_MS };
    const projectIds = [projectId, other.projectId, theirs.projectId];
    const accepted = { category: 'error', outcome: 'accepted', reason: '' };
    expect(await stores.outcomes.seriesByProject(organizationId, projectIds, range, HOUR_MS)).toEqual([
      { projectId, ...accepted, buckets: [2, 0], total: 2 },
      { projectId: other.projectId, ...accepted, buckets: [3, 4], total: 7 },
    ]);
    expect(await stores.outcomes.series(organizationId, projectIds, range, HOUR_MS)).toEqual([
      { ...accepted, buckets: [5, 4], total: 9 },
    ]);
  });

  test('other organizations and projects are not counted', async () => {
    const [mine, theirs] = [await stores.createTenant(), await stores.createTenant()];
    await write(outcome(mine), outcome(theirs, { quantity: 50 }));
    const range = { fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS };
    const both = [mine.projectId, theirs.projectId];
    expect(await stores.outcomes.series(mine.organizationId, both, range, HOUR_MS)).toMatchObject([
      { total: 1 },
    ]);
    expect(await stores.outcomes.series(mine.organizationId, [theirs.projectId], range, HOUR_MS)).toEqual([]);
    expect(await stores.outcomes.series(mine.organizationId, [], range, HOUR_MS)).toEqual([]);
  });

  test('buckets that are not whole hours, or too many, are refused', async () => {
    const tenant = await stores.createTenant();
    const ask = (range: { fromMs: number; toMs: number }, bucketMs: number) =>
      stores.outcomes.series(tenant.organizationId, [tenant.projectId], range, bucketMs);
    const day = { fromMs: NOON_MS, toMs: NOON_MS + DAY_MS };
    await expect(ask(day, HOUR_MS / 2)).rejects.toMatchObject({ code: 'invalid' });
    await expect(ask(day, 0)).rejects.toMatchObject({ code: 'invalid' });
    await expect(ask({ fromMs: 0, toMs: NOON_MS }, HOUR_MS)).rejects.toMatchObject({ code: 'invalid' });
    await expect(ask({ fromMs: NOON_MS, toMs: NOON_MS }, HOUR_MS)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('the use of keys: the last hour that something was accepted in, and what a disabled one refused', async () => {
    const tenant = await stores.createTenant();
    const other = tenant.keyId + 1_000_000;
    await write(
      outcome(tenant, { at: NOON_MS - HOUR_MS }),
      outcome(tenant, { at: NOON_MS + 5 * MINUTE_MS, category: 'log_item' }),
      outcome(tenant, { at: NOON_MS + 3 * HOUR_MS, outcome: 'invalid', reason: 'disabled_key', quantity: 7 }),
      outcome(tenant, { keyId: other, at: NOON_MS - 40 * DAY_MS }),
      outcome(tenant, { keyId: null }),
    );
    const { organizationId, projectId, keyId } = tenant;
    expect(await stores.outcomes.listKeyUse(organizationId, projectId, NOON_MS - DAY_MS)).toEqual([
      { keyId, acceptedAt: NOON_MS, refusedAt: NOON_MS + 3 * HOUR_MS, refused: 7 },
    ]);
    const elsewhere = await stores.createTenant();
    expect(await stores.outcomes.listKeyUse(elsewhere.organizationId, projectId, 0)).toEqual([]);
  });
});
