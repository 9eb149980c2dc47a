import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import {
  checkPasswordReset,
  createPasswordReset,
  PASSWORD_RESET_MS,
  resetPassword,
} from '#product/accounts/password-reset.ts';
import { listUserOrganizations, resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import {
  checkSetupToken,
  issueSetupToken,
  needsSetup,
  type SetUpInput,
  setUpInstance,
} from '#product/accounts/set-up-instance.ts';
import type { Services } from '#product/services.ts';
import { listProjects } from '#product/visible-projects.ts';
import {
  createMigratedPostgres,
  describeOnPostgres,
  type Engine,
  openMissingClickhouse,
} from '../contract/engines.ts';
import { OUTSIDE, symbolsOf } from './product-services.ts';
import { webStoresOver } from './stores-over.ts';

const PASSWORD = 'three birds on a wire';
const OWNER: SetUpInput = {
  token: null,
  email: 'Owner@Example.com',
  name: 'Olga Owner',
  password: PASSWORD,
  organizationName: 'Main',
  organizationSlug: 'main',
  projectSlug: 'web',
  platform: 'python',
};

/** The real stores over a new database; nothing here reads events, so ClickHouse stays untouched. */
async function openServices(engine: Engine) {
  const database = await createMigratedPostgres(engine);
  const clickhouse = openMissingClickhouse({ name: 'unused', url: inject('embeddedClickhouseUrl') });
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) };
  const stores = webStoresOver(
    database,
    clickhouse,
    join(tmpdir(), 'errata-unused'),
    'http://localhost:9000',
  );
  const services: Services = {
    stores,
    symbols: symbolsOf(stores),
    publicUrl: 'http://localhost:9000',
    docsFolder: '',
    now: () => clock.nowMs,
    mailer: createNoMailer(),
    ...OUTSIDE,
    findIngestLag: () => null,
    findSelfReporting: async () => null,
  };
  return {
    services,
    clock,
    async close() {
      await clickhouse.close();
      await database.drop();
    },
  };
}

describeOnPostgres('Accounts', (engine) => {
  let opened: Awaited<ReturnType<typeof openServices>>;
  let services: Services;

  const signsIn = async (email: string, password: string) =>
    (await services.stores.authenticator.signIn({ email, password, headers: new Headers() })) !== null;

  describe('the set-up of an instance', () => {
    beforeEach(async () => {
      opened = await openServices(engine);
      services = opened.services;
      return () => opened.close();
    });

    test('creates an owner who can sign in, the organization, the first project and the built-in one', async () => {
      expect(await needsSetup(services.stores)).toBe(true);
      const { user, organization, project, dsn } = await setUpInstance(services, OWNER);
      expect(await needsSetup(services.stores)).toBe(false);
      expect(user).toMatchObject({ email: 'owner@example.com', name: 'Olga Owner', isInstanceOwner: true });
      expect(dsn).toMatch(new RegExp(`^http://[0-9a-f]{32}@localhost:9000/${project.id}$`));
      expect(await signsIn('owner@example.com', PASSWORD)).toBe(true);
      expect(await services.stores.accounts.findRole(organization.id, user.id)).toBe('owner');
      const projects = await services.stores.projects.listProjects(organization.id);
      expect(projects.map(({ slug, isInternal }) => [slug, isInternal])).toEqual([
        ['errata-self', true],
        ['web', false],
      ]);
    });

    test('opens with the one-time token only, once, and says afterwards that it is done', async () => {
      const { stores, now } = services;
      const token = await issueSetupToken(stores, now());
      expect(await checkSetupToken(stores, null, now())).toBe('wrong_token');
      expect(await checkSetupToken(stores, 'guess', now())).toBe('wrong_token');
      expect(await checkSetupToken(stores, token, now())).toBe('open');
      await expect(setUpInstance(services, { ...OWNER, token: 'guess' })).rejects.toMatchObject({
        code: 'forbidden',
      });
      expect(await needsSetup(stores)).toBe(true);

      await setUpInstance(services, { ...OWNER, token });
      expect(await checkSetupToken(stores, token, now())).toBe('set_up');
      await expect(setUpInstance(services, { ...OWNER, token })).rejects.toMatchObject({ code: 'conflict' });
      await expect(
        setUpInstance(services, { ...OWNER, token, email: 'thief@example.com' }),
      ).rejects.toMatchObject({ code: 'conflict' });
      expect(await issueSetupToken(stores, now())).toBeNull();
    });

    test('a token of an earlier start does not open any more', async () => {
      const { stores, now } = services;
      const earlier = await issueSetupToken(stores, now());
      const later = await issueSetupToken(stores, now());
      expect(await checkSetupToken(stores, earlier, now())).toBe('wrong_token');
      expect(await checkSetupToken(stores, later, now())).toBe('open');
    });

    test('two at once make one owner', async () => {
      const token = await issueSetupToken(services.stores, services.now());
      const tries = await Promise.allSettled(
        ['ana', 'ben', 'cleo', 'dora'].map((name) =>
          setUpInstance(services, { ...OWNER, token, name, email: `${name}@example.com` }),
        ),
      );
      const won = tries.filter((result) => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const lost of tries.filter((result) => result.status === 'rejected')) {
        expect(lost.reason).toMatchObject({ code: 'conflict' });
      }
      expect(await services.stores.accounts.countUsers()).toBe(1);
      expect(await services.stores.accounts.findInstanceOwner()).toMatchObject({ id: won[0]?.value.user.id });
    });

    test('from the environment it may be repeated, changes nothing then, and fills what is missing', async () => {
      const first = await setUpInstance(services, OWNER);
      const again = await setUpInstance(services, { ...OWNER, password: 'another good password' });
      expect(again).toEqual(first);
      expect(await signsIn('owner@example.com', PASSWORD)).toBe(true);
      const other = await setUpInstance(services, { ...OWNER, projectSlug: 'api' });
      expect(other.organization).toEqual(first.organization);
      expect(other.project.slug).toBe('api');
      await expect(setUpInstance(services, { ...OWNER, email: 'thief@example.com' })).rejects.toMatchObject({
        code: 'conflict',
      });
    });

    test('one that was cut off halfway is done again, with the password of the second time', async () => {
      const { stores } = services;
      await stores.projects.createOrganization({ slug: 'main', name: 'Main' });
      await stores.authenticator.createUser({ email: 'owner@example.com', name: 'Half', password: PASSWORD });
      expect(await needsSetup(stores)).toBe(true);
      await setUpInstance(services, { ...OWNER, password: 'another good password' });
      expect(await needsSetup(stores)).toBe(false);
      expect(await signsIn('owner@example.com', 'another good password')).toBe(true);
      expect(await signsIn('owner@example.com', PASSWORD)).toBe(false);
    });

    test.each([
      ['email', { email: 'nonsense' }],
      ['password', { password: 'short' }],
      ['password', { password: 'Password!2024' }],
      ['name', { name: '  ' }],
      ['organizationName', { organizationName: '' }],
      ['organizationSlug', { organizationSlug: 'login' }],
      ['projectSlug', { projectSlug: 'stats' }],
      ['projectSlug', { projectSlug: 'errata-self' }],
    ])('a bad %s is named, and nothing is created', async (field, change) => {
      await expect(setUpInstance(services, { ...OWNER, ...change })).rejects.toMatchObject({
        code: 'invalid',
        field,
      });
      expect(await services.stores.projects.listOrganizations()).toEqual([]);
      expect(await services.stores.accounts.countUsers()).toBe(0);
    });
  });

  describe('an instance that is set up', () => {
    let owner: Awaited<ReturnType<typeof setUpInstance>>;
    beforeAll(async () => {
      opened = await openServices(engine);
      services = opened.services;
      owner = await setUpInstance(services, OWNER);
    });
    afterAll(async () => {
      await opened?.close();
    });

    async function createMember(role: 'viewer' | 'member' | 'manager') {
      const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
      const user = await services.stores.authenticator.createUser({ email, name: role, password: PASSWORD });
      await services.stores.accounts.addMembership({
        organizationId: owner.organization.id,
        userId: user.id,
        role,
      });
      return user;
    }
    const contextOf = (
      user: { id: string; email: string; name: string; isInstanceOwner: boolean },
      slug = 'main',
    ) =>
      resolveUserContext(services, slug, {
        ...user,
        userId: user.id,
        sessionId: 'of no store',
        hasTwoFactorEnabled: false,
        createdAt: Date.now(),
      });

    test('a member gets the context of the organization with the own role', async () => {
      const viewer = await createMember('viewer');
      const context = await contextOf(viewer);
      expect(context.organization.slug).toBe('main');
      expect(context.actor).toMatchObject({
        kind: 'user',
        userId: viewer.id,
        role: 'viewer',
        isInstanceOwner: false,
      });
    });

    test('an organization of others and one that does not exist look the same, for its owner too', async () => {
      const other = await services.stores.projects.createOrganization({ slug: 'other', name: 'Other' });
      await expect(contextOf(owner.user, 'other')).rejects.toMatchObject({ code: 'not_found' });
      await expect(contextOf(owner.user, 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
      expect(await listUserOrganizations(services, owner.user.id)).not.toContainEqual(other);
    });

    test('the built-in project is seen by the owner of the instance only', async () => {
      const slugs = async (user: typeof owner.user) =>
        (await listProjects(await contextOf(user))).map((project) => project.slug);
      expect(await slugs(owner.user)).toEqual(['web', 'errata-self']);
      expect(await slugs(await createMember('manager'))).toEqual(['web']);
    });

    test('a password reset opens once, within an hour, and the newest only', async () => {
      const { email } = await createMember('member');
      const { stores, now } = services;
      const earlier = await createPasswordReset(stores, email, now());
      const token = await createPasswordReset(stores, ` ${email.toUpperCase()}`, now());
      expect(await checkPasswordReset(stores, earlier, now())).toBe(false);
      expect(await checkPasswordReset(stores, token, now())).toBe(true);
      expect(await checkPasswordReset(stores, token, now() + PASSWORD_RESET_MS)).toBe(false);

      await expect(
        resetPassword(services, { token, password: 'short', revokesTokens: true }),
      ).rejects.toMatchObject({
        field: 'password',
      });
      await resetPassword(services, { token, password: 'a new and good one', revokesTokens: true });
      expect(await signsIn(email, 'a new and good one')).toBe(true);
      await expect(
        resetPassword(services, { token, password: 'yet another good one', revokesTokens: true }),
      ).rejects.toMatchObject({
        code: 'invalid',
        field: 'token',
      });
      expect(await signsIn(email, 'yet another good one')).toBe(false);
    });

    test('a reset for an address that nobody has is refused', async () => {
      await expect(
        createPasswordReset(services.stores, 'nobody@example.com', services.now()),
      ).rejects.toMatchObject({ code: 'not_found' });
    });

    test('a token opens with the scopes that it was given, in its organization', async () => {
      const { token, record } = await createToken(await contextOf(owner.user), {
        name: 'ci',
        scopes: ['event:write', 'org:read'],
        expiresAt: null,
      });
      expect(token).toMatch(/^errata_[0-9A-Za-z]{40}$/);
      expect(JSON.stringify(record)).not.toContain(token);
      const context = await authenticateToken(services, `Bearer ${token}`);
      expect(context.organization.slug).toBe('main');
      expect(context.actor).toMatchObject({
        kind: 'token',
        userId: owner.user.id,
        role: 'owner',
        scopes: ['org:read', 'event:read', 'event:write'],
      });
    });

    test('a token has never more rights than its owner has now', async () => {
      const user = await createMember('manager');
      const { token } = await createToken(await contextOf(user), {
        name: 'all',
        scopes: ['event:admin', 'org:admin', 'project:write'],
        expiresAt: null,
      });
      const scopes = async () => {
        const { actor } = await authenticateToken(services, token);
        return actor.kind === 'token' ? actor.scopes : [];
      };
      expect(await scopes()).toContain('event:admin');
      expect(await scopes()).not.toContain('org:admin');
      const organizationId = owner.organization.id;
      await services.stores.accounts.addMembership({ organizationId, userId: user.id, role: 'viewer' });
      expect(await scopes()).toEqual(['org:read', 'project:read', 'event:read']);
    });

    test('what is no token, unknown, or expired does not open', async () => {
      const { token } = await createToken(await contextOf(owner.user), {
        name: 'short',
        scopes: ['event:read'],
        expiresAt: services.now() + 1_000,
      });
      await authenticateToken(services, token);
      for (const bad of [null, '', 'Bearer ', 'errata_short', `errata_${'x'.repeat(40)}`, `${token}x`]) {
        await expect(authenticateToken(services, bad)).rejects.toMatchObject({ code: 'unauthorized' });
      }
      opened.clock.nowMs += 1_000;
      await expect(authenticateToken(services, token)).rejects.toMatchObject({ code: 'unauthorized' });
    });

    test('a token cannot make tokens', async () => {
      const { token } = await createToken(await contextOf(owner.user), {
        name: 'first',
        scopes: ['org:admin'],
        expiresAt: null,
      });
      await expect(
        createToken(await authenticateToken(services, token), {
          name: 'second',
          scopes: ['org:admin'],
          expiresAt: null,
        }),
      ).rejects.toMatchObject({ code: 'forbidden' });
    });

    test('a token that the operator makes belongs to the owner', async () => {
      const system = { ...(await contextOf(owner.user)), actor: { kind: 'system' } as const };
      const { record } = await createToken(system, { name: 'cli', scopes: ['event:read'], expiresAt: null });
      expect(record.userId).toBe(owner.user.id);
    });
  });
});
