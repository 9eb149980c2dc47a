import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import { createProjectKey, listProjectKeys, updateProjectKey } from '#product/projects/client-keys.ts';
import {
  getOrganizationLimits,
  getProjectLimits,
  type Limit,
  updateOrganizationLimits,
  updateProjectLimits,
} from '#product/quotas/limits.ts';
import { getSpikeProtection, updateSpikeProtection } from '#product/quotas/spike-protection.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});

async function openOrganization(): Promise<{ organization: Organization; projectId: number }> {
  const organization = await product.createOrganization();
  const project = await product.createProject(organization, 'web');
  return { organization, projectId: project.id };
}
const errors = (limit: number, windowSeconds = 3_600): Limit => ({ kind: 'errors', limit, windowSeconds });

test('limits of the organization are the managers’, those of a project and its keys the admins’', async () => {
  const { organization } = await openOrganization();
  const [member, admin, manager] = await Promise.all(
    (['member', 'admin', 'manager'] as const).map((role) => product.join(organization, role)),
  );
  const refused = { code: 'forbidden' };
  const spike = { isEnabled: false, bodiesPerHour: 100 };
  const change = { rateLimit: { count: 1, windowSeconds: 60 } };
  const [key] = await listProjectKeys(member!, 'web');
  const ofProject = { projectSlug: 'web', limits: [errors(5)] };

  await expect(updateOrganizationLimits(admin!, [errors(5)])).rejects.toMatchObject(refused);
  await expect(updateProjectLimits(member!, ofProject)).rejects.toMatchObject(refused);
  await expect(updateSpikeProtection(member!, { projectSlug: 'web', spike })).rejects.toMatchObject(refused);
  await expect(updateProjectKey(member!, { projectSlug: 'web', key: key!.id, change })).rejects.toMatchObject(
    refused,
  );

  await updateOrganizationLimits(manager!, [errors(5)]);
  await updateProjectLimits(admin!, ofProject);
  await updateSpikeProtection(admin!, { projectSlug: 'web', spike });
  await updateProjectKey(admin!, { projectSlug: 'web', key: key!.id, change });
  expect(await getOrganizationLimits(member!)).toMatchObject([errors(5)]);
  expect(await getProjectLimits(member!, 'web')).toMatchObject([errors(5)]);
  expect(await getSpikeProtection(member!, 'web')).toEqual(spike);
  expect(await listProjectKeys(member!, 'web')).toMatchObject([change]);
});

test('a token needs the scope as well as the role', async () => {
  const { organization } = await openOrganization();
  const manager = await product.join(organization, 'manager');
  const token = product.contextFor(organization, {
    ...(manager.actor as Extract<typeof manager.actor, { kind: 'user' }>),
    kind: 'token',
    scopes: ['org:read', 'project:write'],
  });
  await expect(updateOrganizationLimits(token, [])).rejects.toMatchObject({ code: 'forbidden' });
  expect(await updateProjectLimits(token, { projectSlug: 'web', limits: [errors(1)] })).toHaveLength(1);
});

test('what makes no sense is refused, naming the kind, and the former limits stay', async () => {
  const { organization } = await openOrganization();
  const ctx = await product.join(organization, 'owner');
  await updateOrganizationLimits(ctx, [errors(5)]);
  const refusals: [unknown, string][] = [
    [errors(-1), 'errors'],
    [errors(1.5), 'errors'],
    [errors(Number.NaN), 'errors'],
    [errors(1, 0), 'errors'],
    [errors(1, 31 * 86_400), 'errors'],
    [{ ...errors(1), kind: 'everything' }, 'kind'],
    [{ ...errors(1), color: 'red' }, 'errors'],
  ];
  for (const [limit, field] of refusals) {
    await expect(updateOrganizationLimits(ctx, [limit as Limit])).rejects.toMatchObject({
      code: 'invalid',
      field,
    });
  }
  await expect(updateOrganizationLimits(ctx, [errors(1), errors(2, 60)])).rejects.toMatchObject({
    code: 'invalid',
    field: 'errors',
  });
  expect(await getOrganizationLimits(ctx)).toMatchObject([errors(5)]);
  await expect(
    updateSpikeProtection(ctx, { projectSlug: 'web', spike: { isEnabled: true, bodiesPerHour: 9 } }),
  ).rejects.toMatchObject({ code: 'invalid', field: 'bodiesPerHour' });
});

test('a limit says how much of it is used, as far as hours can tell', async () => {
  const { organization, projectId } = await openOrganization();
  const ctx = await product.join(organization, 'owner');
  const now = product.clock.nowMs;
  const outcome = {
    organizationId: organization.id,
    projectId,
    keyId: 1,
    outcome: 'accepted',
    reason: '',
  } as const;
  await product.assignNext([], {
    outcomes: [
      { ...outcome, category: 'error', at: now, quantity: 7 },
      { ...outcome, category: 'security', at: now, quantity: 2 },
      { ...outcome, category: 'session', at: now, quantity: 100 },
      { ...outcome, category: 'error', at: now - HOUR_MS, quantity: 1_000 },
    ],
  });
  await updateOrganizationLimits(ctx, [
    errors(50),
    { kind: 'sessions', limit: 10, windowSeconds: 60 },
    { kind: 'all', limit: 5_000, windowSeconds: 86_400 },
  ]);
  expect(await getOrganizationLimits(ctx)).toEqual([
    { ...errors(50), used: 9, windowEndsAt: now + HOUR_MS },
    { kind: 'sessions', limit: 10, windowSeconds: 60, used: null, windowEndsAt: now + 60_000 },
    { kind: 'all', limit: 5_000, windowSeconds: 86_400, used: 1_109, windowEndsAt: now + 12 * HOUR_MS },
  ]);
  await updateProjectLimits(ctx, { projectSlug: 'web', limits: [errors(20)] });
  expect(await getProjectLimits(ctx, 'web')).toMatchObject([{ used: 9 }]);
});

test('a key has a name, a state and a rate limit, by its number or its public key', async () => {
  const { organization } = await openOrganization();
  const ctx = await product.join(organization, 'admin');
  const made = await createProjectKey(ctx, {
    projectSlug: 'web',
    label: 'App',
    rateLimit: { count: 100, windowSeconds: 60 },
  });
  const update = (change: Parameters<typeof updateProjectKey>[1]['change'], key: number | string = made.id) =>
    updateProjectKey(ctx, { projectSlug: 'web', key, change });
  expect(await update({ label: ' Mobile ' }, made.publicKey)).toMatchObject({
    label: 'Mobile',
    isActive: true,
    rateLimit: { count: 100, windowSeconds: 60 },
  });
  expect(await update({ isActive: false })).toMatchObject({ label: 'Mobile', isActive: false });
  expect(await update({ rateLimit: null })).toMatchObject({ isActive: false, rateLimit: null });
  expect((await product.stores.projects.findAdmission(made.publicKey))?.quotas).toEqual([]);

  for (const rateLimit of [
    { count: 0, windowSeconds: 60 },
    { count: 1.5, windowSeconds: 60 },
    { count: 1, windowSeconds: 86_401 },
    { count: 1, windowSeconds: 0 },
  ]) {
    await expect(update({ label: 'Other', rateLimit })).rejects.toMatchObject({ code: 'invalid' });
  }
  await expect(update({ label: ' ' })).rejects.toMatchObject({ code: 'invalid', field: 'label' });
  await expect(update({ isActive: true }, 'f'.repeat(32))).rejects.toMatchObject({ code: 'not_found' });
  // Nothing of a refused change was kept.
  expect((await listProjectKeys(ctx, 'web')).at(-1)).toMatchObject({ label: 'Mobile', rateLimit: null });
});

test('nothing of another organization is reached', async () => {
  const [mine, theirs] = [await openOrganization(), await openOrganization()];
  const ctx = await product.join(mine.organization, 'owner');
  const stranger = await product.join(theirs.organization, 'owner');
  const [key] = await listProjectKeys(stranger, 'web');
  await expect(
    updateProjectKey(ctx, { projectSlug: 'web', key: key!.id, change: { isActive: false } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await updateOrganizationLimits(stranger, [errors(3)]);
  expect(await getOrganizationLimits(ctx)).toEqual([]);
});
