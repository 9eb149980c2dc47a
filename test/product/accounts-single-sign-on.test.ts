import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Mailer, MailMessage } from '#delivery/ports/mailer.ts';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Organization } from '#domain/projects.ts';
import { inviteMember } from '#product/invitations/invitations.ts';
import { finishSingleSignOn } from '#product/single-sign-on/finish-single-sign-on.ts';
import { disconnectIdentity } from '#product/single-sign-on/own-identity.ts';
import type { WebServices } from '#product/stores.ts';
import type { Session, SingleSignOn, SingleSignOnClaims } from '#storage/ports/authenticator.ts';
import { createMigratedPostgres, describeOnPostgres, openMissingClickhouse } from '../contract/engines.ts';
import { webStoresOver } from './stores-over.ts';

const ISSUER = 'https://id.example.com';

/** Who gets in, once the provider's answer was checked: see single-sign-on-provider.test.ts for the check. */
describeOnPostgres('Single sign-on', (engine) => {
  let stores: WebServices;
  let organization: Organization;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const database = await createMigratedPostgres(engine);
    const clickhouse = openMissingClickhouse({ name: 'unused', url: inject('embeddedClickhouseUrl') });
    stores = webStoresOver(database, clickhouse, join(tmpdir(), 'errata-unused'), 'http://localhost:9000');
    organization = await stores.projects.createOrganization({ slug: 'main', name: 'Main' });
    close = async () => {
      await clickhouse.close();
      await database.drop();
    };
  });
  afterAll(async () => {
    await close?.();
  });

  const mails: MailMessage[] = [];
  const mailer: Mailer = {
    isConfigured: true,
    async send(message) {
      mails.push(message);
      return { kind: 'sent' };
    },
    close() {},
  };
  const mailedTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ subject }) => subject);
  const auditedOf = async (userId: string) => {
    const entries = await stores.audit.list(organization.id, { actorUserId: userId }, 50);
    return entries.map(({ action, ipAddress }) => [action, ipAddress]);
  };

  const newEmail = (domain = 'example.com') => `${randomBytes(5).toString('hex')}@${domain}`;
  const claimsOf = (claims: Partial<SingleSignOnClaims> = {}): SingleSignOnClaims => ({
    issuer: ISSUER,
    subject: randomBytes(5).toString('hex'),
    email: newEmail(),
    isEmailVerified: true,
    name: 'Ana',
    ...claims,
  });

  /** Somebody comes back from the provider, which vouches for the claims. */
  function finish(
    claims: SingleSignOnClaims,
    {
      settings = {},
      next = '/main/issues',
      link = null,
      session = null,
    }: {
      settings?: Partial<SingleSignOn>;
      next?: string;
      link?: string | null;
      session?: Session | null;
    } = {},
  ) {
    const singleSignOn: SingleSignOn = {
      name: 'Example ID',
      allowedDomains: [],
      autoJoin: null,
      begin: () => Promise.reject(new Error('It has begun already')),
      finish: async () => ({ claims, next, linkUserId: link, cookies: ['sso=; Max-Age=0'] }),
      ...settings,
    };
    const authenticator = { ...stores.authenticator, singleSignOn };
    return finishSingleSignOn(
      { stores: { ...stores, authenticator }, now: Date.now, publicUrl: 'http://localhost:9000', mailer },
      { query: new URLSearchParams(), headers: new Headers(), session, ipAddress: '203.0.113.9' },
    );
  }

  const createUser = (email = newEmail(), isEmailTrusted = true) =>
    stores.authenticator.createUser({
      email,
      name: 'Ana',
      password: 'three birds on a wire',
      isEmailTrusted,
    });
  const sessionOf = (user: { id: string; email: string }): Session => ({
    sessionId: 'own',
    userId: user.id,
    email: user.email,
    name: 'Ana',
    isInstanceOwner: false,
    hasTwoFactorEnabled: false,
    createdAt: Date.now(),
  });
  const openedBy = async (outcome: Awaited<ReturnType<typeof finish>>) => {
    expect(outcome).toMatchObject({ kind: 'signed_in', needsSecondFactor: false });
    const cookies = outcome.kind === 'signed_in' ? outcome.cookies : [];
    const headers = new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') });
    return (await stores.authenticator.findSession(headers))?.userId;
  };

  test('an account is found by its verified address, and by the identity ever after', async () => {
    const user = await createUser();
    const claims = claimsOf({ email: user.email });
    expect(await openedBy(await finish(claims))).toBe(user.id);
    expect(await openedBy(await finish({ ...claims, email: newEmail(), isEmailVerified: false }))).toBe(
      user.id,
    );
    // The same subject of another issuer is somebody else.
    const elsewhere = { ...claims, issuer: 'https://other.example.com', email: newEmail() };
    expect(await finish(elsewhere)).toEqual({ kind: 'refused', reason: 'unknown' });
  });

  test('an address that the provider does not vouch for finds nobody', async () => {
    const user = await createUser();
    const refusal = { kind: 'refused', reason: 'unverified' };
    expect(await finish(claimsOf({ email: user.email, isEmailVerified: false }))).toEqual(refusal);
    expect(await finish(claimsOf({ email: null }))).toEqual(refusal);
  });

  test('an account whose address nobody has confirmed is not given away', async () => {
    const user = await createUser(newEmail(), false);
    expect(await finish(claimsOf({ email: user.email }))).toEqual({ kind: 'refused', reason: 'untrusted' });
  });

  test('nobody gets an account by themselves, unless the operator says where and as what', async () => {
    const claims = claimsOf();
    expect(await finish(claims)).toEqual({ kind: 'refused', reason: 'unknown' });
    expect(await stores.accounts.findUserByEmail(claims.email ?? '')).toBeNull();
    const settings = {
      allowedDomains: ['example.com'],
      autoJoin: { organizationSlug: 'main', role: 'member' },
    } as const;
    const userId = await openedBy(await finish(claims, { settings }));
    expect(await stores.accounts.findRole(organization.id, userId ?? '')).toBe('member');
    expect(await stores.accounts.findProfile(userId ?? '')).toMatchObject({
      hasPassword: false,
      name: 'Ana',
    });
    expect(await auditedOf(userId ?? '')).toEqual([
      ['sso-identity.link', '203.0.113.9'],
      ['member.add', '203.0.113.9'],
    ]);
    const nowhere = { ...settings, autoJoin: { organizationSlug: 'gone', role: 'member' } as const };
    expect(await finish(claimsOf(), { settings: nowhere })).toEqual({ kind: 'refused', reason: 'unknown' });
  });

  test('other domains stay out, also with an identity that was connected before', async () => {
    const user = await createUser(newEmail('elsewhere.org'));
    const claims = claimsOf({ email: user.email });
    await finish(claims);
    const settings = { allowedDomains: ['example.com'] };
    expect(await finish(claims, { settings })).toEqual({ kind: 'refused', reason: 'domain' });
    const pretended = claimsOf({ email: 'eve@evil.org@example.com', isEmailVerified: false });
    expect(await finish(pretended, { settings })).toEqual({ kind: 'refused', reason: 'unverified' });
    const similar = claimsOf({ email: newEmail('notexample.com') });
    expect(await finish(similar, { settings })).toEqual({ kind: 'refused', reason: 'domain' });
  });

  test('an invitation lets in whom it names, and nobody else', async () => {
    const ctx = { stores, organization, actor: { kind: 'system' }, now: Date.now, publicUrl: '' } as const;
    const email = newEmail();
    const { url } = await inviteMember(ctx, createNoMailer(), { email, role: 'member', teams: [] });
    expect(await finish(claimsOf(), { next: url })).toEqual({ kind: 'refused', reason: 'unknown' });
    expect(await finish(claimsOf({ email }), { next: '/invite/made-up' })).toMatchObject({
      reason: 'unknown',
    });
    const outcome = await finish(claimsOf({ email }), { next: url });
    expect(outcome).toMatchObject({ next: url });
    const userId = await openedBy(outcome);
    // Accepting it is still theirs to do.
    expect(await stores.accounts.findRole(organization.id, userId ?? '')).toBeNull();
  });

  test('an identity is connected to whoever asked and is still there', async () => {
    const [ana, bo] = [await createUser(), await createUser()];
    const claims = claimsOf({ email: null, isEmailVerified: false });
    const asAna = { link: ana.id, session: sessionOf(ana) };
    expect(await finish(claims, { link: ana.id })).toEqual({ kind: 'refused', reason: 'failed' });
    expect(await finish(claims, { link: ana.id, session: sessionOf(bo) })).toMatchObject({
      reason: 'failed',
    });
    expect(await finish(claims, asAna)).toMatchObject({ kind: 'linked' });
    expect(await openedBy(await finish(claims))).toBe(ana.id);
    expect(await finish(claims, { link: bo.id, session: sessionOf(bo) })).toMatchObject({ reason: 'taken' });
  });

  test('a second identity of the provider is refused until the first is disconnected', async () => {
    const user = await createUser();
    await stores.accounts.addMembership({
      organizationId: organization.id,
      userId: user.id,
      role: 'member',
    });
    const [first, second] = [claimsOf({ email: user.email }), claimsOf({ email: user.email })];
    expect(await openedBy(await finish(first))).toBe(user.id);
    const asUser = { link: user.id, session: sessionOf(user) };
    expect(await finish(first, asUser)).toMatchObject({ kind: 'linked' });
    const refusal = { kind: 'refused', reason: 'second' };
    expect(await finish(second)).toEqual(refusal);
    expect(await finish(second, asUser)).toEqual(refusal);
    expect(await stores.accounts.findUserByIdentity(second)).toBeNull();

    const self = {
      stores,
      now: Date.now,
      publicUrl: 'http://localhost:9000',
      mailer,
      session: sessionOf(user),
      headers: new Headers(),
      ipAddress: '203.0.113.9',
    };
    await disconnectIdentity(self, { currentPassword: 'three birds on a wire' });
    expect(await finish(second, asUser)).toMatchObject({ kind: 'linked' });
    expect(await auditedOf(user.id)).toEqual([
      ['sso-identity.link', '203.0.113.9'],
      ['sso-identity.unlink', '203.0.113.9'],
      ['sso-identity.link', '203.0.113.9'],
    ]);
    expect(mailedTo(user.email)).toEqual([
      'You can now sign in with Example ID – Errata',
      'Single sign-on was disconnected – Errata',
      'You can now sign in with Example ID – Errata',
    ]);
  });

  test('what alone opens an account cannot be taken away', async () => {
    const user = await stores.authenticator.createUser({ email: newEmail(), name: 'Ana', password: null });
    const self = {
      stores,
      now: Date.now,
      publicUrl: '',
      mailer: createNoMailer(),
      findIngestLag: () => null,
      session: sessionOf(user),
      headers: new Headers(),
      ipAddress: null,
    };
    await expect(disconnectIdentity(self, { currentPassword: '' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await stores.authenticator.setPassword(user.id, 'three birds on a wire');
    await expect(disconnectIdentity(self, { currentPassword: 'wrong' })).rejects.toMatchObject({
      field: 'currentPassword',
    });
    await disconnectIdentity(self, { currentPassword: 'three birds on a wire' });
    expect(await stores.accounts.hasIdentity(user.id)).toBe(false);
  });
});
