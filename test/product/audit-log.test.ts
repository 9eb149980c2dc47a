import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import {
  AUDIT_DAYS,
  forgetAuditEntries,
  listAuditActors,
  listAuditEntries,
} from '#product/audit/audit-log.ts';
import { auditSignInChange } from '#product/audit/audited.ts';
import { updateOrganization } from '#product/organizations/organizations.ts';
import { createTeam, updateTeam } from '#product/teams/teams.ts';
import { createOrganizationToken, revokeOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { DAY_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let main: Organization;
let owner: Joined;
beforeAll(async () => {
  product = await openProduct();
  main = await product.createOrganization();
  owner = { ...(await product.join(main, 'owner')), ipAddress: '203.0.113.7' };
});
afterAll(async () => {
  await product?.close();
});

test('an entry says who, what, when and from where, and what changed', async () => {
  await createTeam(owner, { slug: 'web', name: 'Web' });
  await updateTeam(owner, { team: 'web', change: { name: 'Web team' } });
  const { entries } = await listAuditEntries(owner, {});
  expect(entries).toMatchObject([
    {
      action: 'team.edit',
      at: product.clock.nowMs,
      actor: { kind: 'user', userId: owner.userId, name: 'A owner', tokenId: null },
      ipAddress: '203.0.113.7',
      target: { kind: 'team', name: 'web' },
      data: { from: { name: 'Web' }, to: { name: 'Web team' } },
    },
    { action: 'team.create' },
  ]);
});

test('what a token did names the token, and its owner', async () => {
  const { token, record } = await createToken(owner, {
    name: 'Script',
    scopes: ['team:write'],
    expiresAt: null,
  });
  const ctx = await authenticateToken(servicesOf(product), token);
  await createTeam(ctx, { slug: 'api', name: 'API' });
  const { entries } = await listAuditEntries(owner, { action: 'team.create' });
  expect(entries[0]).toMatchObject({
    actor: { kind: 'token', userId: owner.userId, tokenId: record.id },
    target: { name: 'api' },
  });
});

test('a change that is refused leaves no entry', async () => {
  const before = (await listAuditEntries(owner, {})).entries[0]?.id;
  await expect(createTeam(owner, { slug: 'web', name: 'Again' })).rejects.toMatchObject({ code: 'conflict' });
  await updateOrganization(owner, { name: main.name });
  expect((await listAuditEntries(owner, {})).entries[0]?.id).toBe(before);
});

test('no secret stands in an entry', async () => {
  const { token, record } = await createOrganizationToken(owner, { name: 'Build' });
  await revokeOrganizationToken(owner, { tokenId: record.id });
  const personal = await createToken(owner, { name: 'Mine', scopes: ['event:read'], expiresAt: null });
  const text = JSON.stringify((await listAuditEntries(owner, {})).entries);
  for (const secret of [token, token.split('_').at(-1)!, personal.token]) expect(text).not.toContain(secret);
});

describe('looking', () => {
  test('pages lead to the end, and conditions narrow', async () => {
    const organization = await product.createOrganization();
    const [ana, bert] = [
      await product.join(organization, 'manager'),
      await product.join(organization, 'owner'),
    ];
    const start = product.clock.nowMs;
    for (let index = 0; index < 25; index++) {
      product.clock.nowMs = start + index * DAY_MS;
      await createTeam(index % 5 === 0 ? ana : bert, { slug: `t-${index}`, name: 'Team' });
    }
    const slugs: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAuditEntries>> = await listAuditEntries(ana, {
        cursor,
        limit: 10,
      });
      slugs.push(...page.entries.map(({ target }) => target.name));
      cursor = page.nextCursor;
    } while (cursor);
    expect(slugs).toEqual(Array.from({ length: 25 }, (_, index) => `t-${24 - index}`));
    expect((await listAuditEntries(ana, { actorUserId: ana.userId })).entries).toHaveLength(5);
    expect((await listAuditEntries(ana, { action: 'team.edit' })).entries).toHaveLength(0);
    const narrowed = await listAuditEntries(ana, {
      fromMs: start + 3 * DAY_MS,
      toMs: start + 5 * DAY_MS,
    });
    expect(narrowed.entries.map(({ target }) => target.name)).toEqual(['t-4', 't-3']);
    expect((await listAuditActors(ana)).map(({ userId }) => userId).sort()).toEqual(
      [ana.userId, bert.userId].sort(),
    );
    await expect(listAuditEntries(ana, { cursor: '1; DROP' })).rejects.toMatchObject({ code: 'invalid' });
    product.clock.nowMs = start;
  });

  test('another organization is never seen', async () => {
    const stranger = await product.join(await product.createOrganization(), 'owner');
    expect((await listAuditEntries(stranger, {})).entries).toEqual([]);
    expect((await listAuditEntries(stranger, { actorUserId: owner.userId })).entries).toEqual([]);
  });
});

test('entries go after a year, and not before', async () => {
  const organization = await product.createOrganization();
  const ana = await product.join(organization, 'owner');
  await createTeam(ana, { slug: 'old', name: 'Old' });
  const nowMs = product.clock.nowMs + AUDIT_DAYS * DAY_MS;
  await forgetAuditEntries(product.stores, nowMs);
  expect((await listAuditEntries(ana, {})).entries).toHaveLength(1);
  expect(await forgetAuditEntries(product.stores, nowMs + 1)).toBeGreaterThan(0);
  expect((await listAuditEntries(ana, {})).entries).toHaveLength(0);
});

test('how somebody signs in is told to each of their organizations', async () => {
  const other = await product.createOrganization();
  const ana = await product.join(main, 'member');
  await product.stores.accounts.addMembership({
    organizationId: other.id,
    userId: ana.userId,
    role: 'member',
  });
  await auditSignInChange(servicesOf(product), {
    action: 'user.2fa-disable',
    ipAddress: '2001:db8::1',
    change: () => product.stores.accounts.findUser(ana.userId),
  });
  const inOther = product.contextFor(other, { kind: 'system' });
  for (const ctx of [owner, inOther]) {
    const { entries } = await listAuditEntries(ctx, { action: 'user.2fa-disable' });
    expect(entries).toMatchObject([{ actor: { userId: ana.userId }, ipAddress: '2001:db8::1' }]);
  }
});
