import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import {
  changeRole,
  getMember,
  leaveOrganization,
  listMembers,
  removeMember,
} from '#product/members/members.ts';
import { setTeamMember } from '#product/teams/teams.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let main: Organization;
let owner: Joined;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  main = await product.createOrganization();
  owner = await product.join(main, 'owner');
});

const roleOf = (ctx: { userId: string }) => product.stores.accounts.findRole(main.id, ctx.userId);
const as = (ctx: Joined): string => ctx.userId;

describe('roles', () => {
  test('a manager gives roles up to their own, and touches no owner', async () => {
    const manager = await product.join(main, 'manager');
    const member = await product.join(main, 'member');
    expect(await changeRole(manager, { member: as(member), role: 'manager' })).toMatchObject({
      role: 'manager',
    });
    expect(await roleOf(member)).toBe('manager');
    for (const attempt of [
      () => changeRole(manager, { member: as(member), role: 'owner' }),
      () => changeRole(manager, { member: as(manager), role: 'owner' }),
      () => changeRole(manager, { member: as(owner), role: 'viewer' }),
      () => removeMember(manager, { member: as(owner) }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await roleOf(owner)).toBe('owner');
  });

  test('a token of an owner gives no right that it lacks', async () => {
    const member = await product.join(main, 'member');
    const actor = {
      ...owner.actor,
      kind: 'token',
      scopes: ['member:admin', 'event:write'],
    } as Context['actor'];
    await expect(
      changeRole({ ...owner, actor }, { member: as(member), role: 'owner' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('the last owner stays one, also when two step down at the same moment', async () => {
    await expect(changeRole(owner, { member: as(owner), role: 'member' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(leaveOrganization(owner)).rejects.toMatchObject({ code: 'conflict' });
    const second = await product.join(main, 'owner');
    const results = await Promise.allSettled([leaveOrganization(owner), leaveOrganization(second)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = await listMembers(product.contextFor(main, { kind: 'system' }));
    expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  test('what is no role, and who is no member, is refused', async () => {
    const stranger = await product.join(await product.createOrganization(), 'member');
    await expect(changeRole(owner, { member: as(stranger), role: 'member' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(changeRole(owner, { member: 'me', role: 'king' })).rejects.toMatchObject({
      code: 'invalid',
      field: 'role',
    });
  });
});

describe('somebody who goes', () => {
  test('keeps nothing of the organization, and what they did stays', async () => {
    const web = await product.createProject(main, 'web');
    await product.ingest(main, [{ projectId: web.id }]);
    const issue = (await product.stores.issues.findByShortId(main.id, 'WEB-1'))!;
    const member = await product.join(main, 'member');
    const team = await product.stores.teams.create(main.id, { slug: 'web-team', name: 'Web' });
    await setTeamMember(owner, { team: team.slug, userId: as(member), isMember: true });
    await updateIssues(member, { issueIds: [issue.id], change: { assigneeUserId: as(member) } });
    const { token } = await createToken(member, { name: 'Mine', scopes: ['event:read'], expiresAt: null });

    // In another organization they stay what they are.
    const other = await product.createOrganization();
    await product.stores.accounts.addMembership({
      organizationId: other.id,
      userId: as(member),
      role: 'admin',
    });
    const elsewhere = await createToken(
      { ...member, organization: other },
      { name: 'There', scopes: ['event:read'], expiresAt: null },
    );

    await removeMember(owner, { member: as(member) });
    const services = servicesOf(product);
    await expect(authenticateToken(services, token)).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await authenticateToken(services, elsewhere.token)).organization.id).toBe(other.id);
    expect(await roleOf(member)).toBeNull();
    expect((await product.stores.teams.list(main.id))[0]?.memberIds).toEqual([]);
    const after = (await product.stores.issues.findByShortId(main.id, 'WEB-1'))!;
    expect(after.assignee).toBeNull();
    const { rows } = await sql<{ user_id: string }>`
      SELECT user_id FROM activities WHERE issue_id = ${issue.id} AND type = 'assigned'`.execute(product.db);
    expect(rows).toEqual([{ user_id: as(member) }]);
    const { entries } = await listAuditEntries(owner, { action: 'member.remove' });
    expect(entries[0]).toMatchObject({ target: { name: member.email }, data: { role: 'member' } });
  });

  test('leaves by themselves, and is not removed by their own hand', async () => {
    const manager = await product.join(main, 'manager');
    await expect(removeMember(manager, { member: 'me' })).rejects.toMatchObject({ code: 'conflict' });
    await leaveOrganization(manager);
    expect(await roleOf(manager)).toBeNull();
  });
});

test('a member is found by number, user id and as me, and tells when they were last here', async () => {
  const member = await product.join(main, 'member');
  const byId = await getMember(owner, as(member));
  expect(byId).toMatchObject({ role: 'member', hasTwoFactor: false, lastSeenAt: null, teamIds: [] });
  expect(await getMember(owner, String(byId.id))).toEqual(byId);
  expect((await getMember(member, 'me')).id).toBe(byId.id);
  const { members } = product.stores;
  await members.noteSeen(main.id, as(member), product.clock.nowMs);
  await members.noteSeen(main.id, as(member), product.clock.nowMs + 60_000);
  expect((await getMember(owner, as(member))).lastSeenAt).toBe(product.clock.nowMs);
  await members.noteSeen(main.id, as(member), product.clock.nowMs + 301_000);
  expect((await getMember(owner, as(member))).lastSeenAt).toBe(product.clock.nowMs + 301_000);
});
