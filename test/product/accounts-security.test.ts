import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { MailMessage } from '#delivery/ports/mailer.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { changePassword } from '#product/accounts/own-account/change-password.ts';
import {
  checkEmailChange,
  confirmEmailChange,
  EMAIL_CHANGE_MS,
  requestEmailChange,
} from '#product/accounts/own-account/email-change.ts';
import { removePasskey } from '#product/accounts/own-account/own-passkeys.ts';
import {
  createOwnToken,
  createToken,
  listOwnTokens,
  revokeAllOwnTokens,
  revokeOwnToken,
} from '#product/accounts/own-account/own-tokens.ts';
import { renameSelf, type Self } from '#product/accounts/own-account/self.ts';
import { endOtherSessions, endSession, listSessions } from '#product/accounts/own-account/sessions.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#product/accounts/own-account/set-up-second-factor.ts';
import { checkPasswordReset, createPasswordReset, resetPassword } from '#product/accounts/password-reset.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { getSecondFactorPolicy, setTwoFactorRequired } from '#product/accounts/second-factor-policy.ts';
import { setUpInstance } from '#product/accounts/set-up-instance.ts';
import type { Services } from '#product/services.ts';
import { createMigratedPostgres, describeOnPostgres, openMissingClickhouse } from '../contract/engines.ts';
import { totpCode } from '../harness/totp.ts';
import { OUTSIDE, symbolsOf } from './product-services.ts';
import { webStoresOver } from './stores-over.ts';

const PASSWORD = 'three birds on a wire';
const NEW_PASSWORD = 'four birds on a wire';

describeOnPostgres('The security of an account', (engine) => {
  let services: Services;
  let close: () => Promise<void>;
  let owner: Self;
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  const mails: MailMessage[] = [];
  let isMailConfigured = true;

  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
    const clickhouse = openMissingClickhouse({ name: 'unused', url: inject('embeddedClickhouseUrl') });
    const stores = webStoresOver(
      database,
      clickhouse,
      join(tmpdir(), 'errata-unused'),
      'http://localhost:9000',
    );
    services = {
      stores,
      symbols: symbolsOf(stores),
      publicUrl: 'http://localhost:9000',
      docsFolder: '',
      now: Date.now,
      mailer: {
        get isConfigured() {
          return isMailConfigured;
        },
        async send(message) {
          if (!isMailConfigured) return { kind: 'not_sent', reason: 'No mail server', isFinal: true };
          mails.push(message);
          return { kind: 'sent' };
        },
        close() {},
      },
      ...OUTSIDE,
      findIngestLag: () => null,
      findSelfReporting: async () => null,
    };
    close = async () => {
      await clickhouse.close();
      await database.drop();
    };
    const { user } = await setUpInstance(services, {
      token: null,
      email: 'owner@example.com',
      name: 'Olga Owner',
      password: PASSWORD,
      organizationName: 'Main',
      organizationSlug: 'main',
      projectSlug: 'web',
      platform: null,
    });
    owner = await signedIn(user.id);
  });
  afterAll(async () => {
    await close?.();
  });

  async function signedIn(userId: string): Promise<Self> {
    const { authenticator } = services.stores;
    const { cookies } = await authenticator.openSession({ userId, headers: new Headers() });
    return selfOf(cookies);
  }

  let sessions = 0;
  async function selfOf(cookies: readonly string[]): Promise<Self> {
    sessions++;
    const headers = new Headers({
      cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
      // Everybody is somewhere else: tries are counted by address as well.
      'x-forwarded-for': `203.0.113.${sessions}`,
    });
    const session = await services.stores.authenticator.findSession(headers);
    return { ...services, session: session!, headers, ipAddress: '203.0.113.9' };
  }

  let people = 0;
  async function createMember(password: string | null = PASSWORD): Promise<Self> {
    people++;
    const { accounts, authenticator, projects } = services.stores;
    const email = `member${people}@example.com`;
    const user = await authenticator.createUser({ email, name: `Member ${people}`, password });
    const organization = await projects.findOrganization('main');
    await accounts.addMembership({ organizationId: organization!.id, userId: user.id, role: 'member' });
    return signedIn(user.id);
  }

  /** Switches it on; answers the person in the session that goes on. */
  async function protect(self: Self): Promise<{ self: Self; recoveryCodes: readonly string[] }> {
    const { secret, recoveryCodes } = await beginSecondFactor(self, { currentPassword: PASSWORD });
    const cookies = await confirmSecondFactor(self, totpCode(secret));
    return { self: await selfOf(cookies), recoveryCodes };
  }

  const auditedActions = async (self: Self) => {
    const organization = await services.stores.projects.findOrganization('main');
    const entries = await services.stores.audit.list(
      organization!.id,
      { actorUserId: self.session.userId },
      50,
    );
    return entries.map(({ action, ipAddress }) => [action, ipAddress]);
  };

  const mailedTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ subject }) => subject);

  test('a name is trimmed, in one line, and neither empty nor endless', async () => {
    const self = await createMember();
    await expect(renameSelf(self, { name: '  ' })).rejects.toMatchObject({ field: 'name' });
    await expect(renameSelf(self, { name: 'x'.repeat(101) })).rejects.toMatchObject({ field: 'name' });
    await expect(renameSelf(self, { name: 'Mia\r\nBcc: eve' })).rejects.toMatchObject({ field: 'name' });
    await renameSelf(self, { name: ' Mia ' });
    expect(await services.stores.accounts.findUser(self.session.userId)).toMatchObject({ name: 'Mia' });
  });

  test('a password is changed by whoever knows it, in the log and with a mail', async () => {
    const self = await createMember();
    const change = (currentPassword: string, password: string) =>
      changePassword(self, { currentPassword, password, revokesTokens: false });
    await expect(change('wrong', NEW_PASSWORD)).rejects.toMatchObject({ field: 'currentPassword' });
    await expect(change('', NEW_PASSWORD)).rejects.toMatchObject({ field: 'currentPassword' });
    await expect(change(PASSWORD, 'password1234')).rejects.toMatchObject({ field: 'password' });
    await expect(change(PASSWORD, PASSWORD)).rejects.toMatchObject({ field: 'password' });
    expect(await auditedActions(self)).toEqual([]);
    await change(PASSWORD, NEW_PASSWORD);
    expect(await auditedActions(self)).toEqual([['user.password-change', '203.0.113.9']]);
    expect(mailedTo(self.session.email)).toEqual(['Your password was changed – Errata']);
  });

  test('an account without a password gets its first one', async () => {
    const self = await createMember(null);
    await changePassword(self, { currentPassword: '', password: NEW_PASSWORD, revokesTokens: false });
    const signIn = await services.stores.authenticator.signIn({
      email: self.session.email,
      password: NEW_PASSWORD,
      headers: new Headers(),
    });
    expect(signIn).not.toBeNull();
  });

  test('an account without a password is changed within ten minutes of signing in only', async () => {
    const self = await createMember(null);
    const at = (ageMs: number): Self => ({ ...self, now: () => self.session.createdAt + ageMs });
    const stale = at(10 * 60_000);
    const refusal = { code: 'invalid', message: expect.stringMatching(/^Sign in again to change this/) };
    const currentPassword = '';
    await expect(
      changePassword(stale, { currentPassword, password: PASSWORD, revokesTokens: false }),
    ).rejects.toMatchObject(refusal);
    await expect(beginSecondFactor(stale, { currentPassword })).rejects.toMatchObject(refusal);
    await expect(
      requestEmailChange(stale, { email: 'left.open@example.com', currentPassword }),
    ).rejects.toMatchObject(refusal);
    await changePassword(at(10 * 60_000 - 1), { currentPassword, password: PASSWORD, revokesTokens: false });
  });

  describe('an email address', () => {
    const linkIn = (mail: MailMessage | undefined) =>
      /confirm-email\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const isResetOpen = (token: string) => checkPasswordReset(services.stores, token, services.now());
    const request = (self: Self, email: string) =>
      requestEmailChange(self, { email, currentPassword: PASSWORD });

    test('changes when the mailed link is opened, once, and the old one is told', async () => {
      const self = await createMember();
      const oldEmail = self.session.email;
      expect(await request(self, 'New.Address@Example.com')).toEqual({ kind: 'mailed' });
      expect(await services.stores.accounts.findUserByEmail('new.address@example.com')).toBeNull();
      const token = linkIn(mails.findLast(({ to }) => to === 'new.address@example.com'));
      expect(await checkEmailChange(self, token)).toBe('new.address@example.com');
      await confirmEmailChange(self, token);
      expect(await services.stores.accounts.findProfile(self.session.userId)).toMatchObject({
        email: 'new.address@example.com',
        isEmailTrusted: true,
      });
      expect(mailedTo(oldEmail)).toEqual([
        'Someone asked to change your email address to new.address@example.com – Errata',
        'Your email address is now new.address@example.com – Errata',
      ]);
      expect(await auditedActions(self)).toEqual([['user.email-change', '203.0.113.9']]);
      await expect(confirmEmailChange(self, token)).rejects.toMatchObject({
        code: 'invalid',
      });
    });

    test('changes for whoever asked only, and takes earlier addresses for a new password with it', async () => {
      const [self, other] = [await createMember(), await createMember()];
      await request(self, 'asked.for@example.com');
      const token = linkIn(mails.findLast(({ to }) => to === 'asked.for@example.com'));
      expect(await checkEmailChange(other, token)).toBeNull();
      await expect(confirmEmailChange(other, token)).rejects.toMatchObject({ code: 'invalid' });
      const { stores, now } = services;
      const [mine, theirs] = [
        await createPasswordReset(stores, self.session.email, now()),
        await createPasswordReset(stores, other.session.email, now()),
      ];
      await confirmEmailChange(self, token);
      expect(await isResetOpen(mine)).toBe(false);
      expect(await isResetOpen(theirs)).toBe(true);
    });

    test('stays when the password changes before the link is opened', async () => {
      const self = await createMember();
      await request(self, 'too.late@example.com');
      const token = linkIn(mails.findLast(({ to }) => to === 'too.late@example.com'));
      const reset = await createPasswordReset(services.stores, self.session.email, services.now());
      await changePassword(self, { currentPassword: PASSWORD, password: NEW_PASSWORD, revokesTokens: false });
      expect(await checkEmailChange(self, token)).toBeNull();
      expect(await isResetOpen(reset)).toBe(false);
      await expect(confirmEmailChange(self, token)).rejects.toMatchObject({ code: 'invalid' });
    });

    test('without mail the link is shown, and the address proves nothing', async () => {
      isMailConfigured = false;
      try {
        const self = await createMember();
        const made = await request(self, 'unproved@example.com');
        const token = made.kind === 'link' ? linkIn({ ...EMPTY_MAIL, text: made.url }) : '';
        await confirmEmailChange(self, token);
        expect(await services.stores.accounts.findProfile(self.session.userId)).toMatchObject({
          email: 'unproved@example.com',
          isEmailTrusted: false,
        });
      } finally {
        isMailConfigured = true;
      }
    });

    test('cannot be one that somebody has, now or when the link is opened', async () => {
      const self = await createMember();
      await expect(request(self, 'OWNER@example.com')).rejects.toMatchObject({ code: 'conflict' });
      await expect(request(self, self.session.email)).rejects.toMatchObject({ field: 'email' });
      await expect(
        requestEmailChange(self, { email: 'other@example.com', currentPassword: 'wrong' }),
      ).rejects.toMatchObject({ field: 'currentPassword' });
      await request(self, 'wanted@example.com');
      const token = linkIn(mails.findLast(({ to }) => to === 'wanted@example.com'));
      await services.stores.authenticator.createUser({
        email: 'wanted@example.com',
        name: 'Faster',
        password: null,
      });
      await expect(confirmEmailChange(self, token)).rejects.toMatchObject({
        code: 'conflict',
      });
    });

    test('is asked for five times, so that nobody finds out addresses or fills mailboxes', async () => {
      const self = await createMember();
      for (let count = 1; count <= 5; count++) {
        await expect(request(self, 'owner@example.com')).rejects.toMatchObject({ code: 'conflict' });
      }
      await expect(request(self, 'sixth@example.com')).rejects.toMatchObject({ code: 'rate_limited' });
      expect(mailedTo('sixth@example.com')).toEqual([]);
    });

    test('a link is good for a day, and a newer one takes its place', async () => {
      const self = await createMember();
      await request(self, 'first@example.com');
      const first = linkIn(mails.findLast(({ to }) => to === 'first@example.com'));
      const later = { ...self, now: () => Date.now() + EMAIL_CHANGE_MS };
      expect(await checkEmailChange(later, first)).toBeNull();
      await request(self, 'second@example.com');
      expect(await checkEmailChange(self, first)).toBeNull();
    });
  });

  test('a second factor leaves entries and mails when it comes and goes', async () => {
    const self = await createMember();
    await expect(beginSecondFactor(self, { currentPassword: 'wrong' })).rejects.toMatchObject({
      field: 'currentPassword',
    });
    await beginSecondFactor(self, { currentPassword: PASSWORD });
    await expect(confirmSecondFactor(self, '000000')).rejects.toMatchObject({ field: 'code' });
    const { self: after, recoveryCodes } = await protect(self);
    await expect(beginSecondFactor(after, { currentPassword: PASSWORD })).rejects.toMatchObject({
      code: 'conflict',
    });
    const renewed = await renewRecoveryCodes(after, { currentPassword: PASSWORD });
    const disable = (code: string) => disableSecondFactor(after, { currentPassword: PASSWORD, code });
    await expect(disable(recoveryCodes[0]!)).rejects.toMatchObject({ field: 'code' });
    await disable(renewed[0]!);
    expect((await auditedActions(self)).map(([action]) => action)).toEqual([
      'user.2fa-disable',
      'user.2fa-recovery-codes',
      'user.2fa-enable',
    ]);
    expect(mailedTo(self.session.email)).toEqual([
      'Two-factor authentication was turned on – Errata',
      'Your recovery codes were replaced – Errata',
      'Two-factor authentication was turned off – Errata',
    ]);
  });

  test('the operator switches it off for somebody who lost everything, in the log', async () => {
    const { self } = await protect(await createMember());
    expect(await removeSecondFactor(services, self.session.email)).toEqual({ wasOn: true });
    expect(await removeSecondFactor(services, self.session.email)).toEqual({ wasOn: false });
    expect((await auditedActions(self)).map(([action]) => action)).toEqual([
      'user.2fa-disable',
      'user.2fa-enable',
    ]);
    await expect(removeSecondFactor(services, 'nobody@example.com')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('sessions of others are not found', async () => {
    const [ana, bo] = [await createMember(), await createMember()];
    await signedIn(ana.session.userId);
    const listed = await listSessions(ana);
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    await expect(endSession(bo, listed[1]!.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await endOtherSessions(ana)).toBe(1);
    expect(await listSessions(ana)).toHaveLength(1);
  });

  test('tokens are listed and revoked by their owner only', async () => {
    const [ana, bo] = [await createMember(), await createMember()];
    const ctx = await resolveUserContext(services, 'main', ana.session);
    const { token, record } = await createToken(ctx, { name: 'ci', scopes: ['org:read'], expiresAt: null });
    expect(await listOwnTokens(ana)).toMatchObject([{ name: 'ci', organization: { slug: 'main' } }]);
    expect(await listOwnTokens(bo)).toEqual([]);
    await expect(revokeOwnToken(bo, record.id)).rejects.toMatchObject({ code: 'not_found' });
    await revokeOwnToken(ana, record.id);
    await expect(authenticateToken(services, token)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(revokeOwnToken(ana, record.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await auditedActions(ana)).map(([action]) => action)).toEqual([
      'api-key.remove',
      'api-key.create',
    ]);
  });

  test('a password is not made of what anybody knows about the person', async () => {
    const self = await createMember();
    const change = (password: string) =>
      changePassword(self, { currentPassword: PASSWORD, password, revokesTokens: false });
    for (const password of [self.session.email, `${self.session.name} 2026!`, 'MainMainMain2026']) {
      await expect(change(password)).rejects.toMatchObject({
        field: 'password',
        message: expect.stringMatching(/your email address, your name|repeats itself/),
      });
    }
  });

  describe('tokens and programs', () => {
    const makeToken = async (self: Self, name: string) => {
      const ctx = await resolveUserContext(services, 'main', self.session);
      return (await createToken(ctx, { name, scopes: ['org:read'], expiresAt: null })).token;
    };
    const opens = (token: string) =>
      authenticateToken(services, token).then(
        () => true,
        () => false,
      );
    const connectProgram = async ({ session: { userId } }: Self, isExchanged = true) => {
      const { oauth, projects } = services.stores;
      const codeHash = randomBytes(32);
      const [nowMs, clientId] = [services.now(), randomUUID()];
      const [redirectUri, expiresAt] = ['http://127.0.0.1/back', nowMs + 60_000];
      const client = { id: clientId, name: 'An agent', redirectUris: [redirectUri], createdAt: nowMs };
      await oauth.addClient(client, { sinceMs: 0, max: 1_000 });
      const grantId = await oauth.addGrant({
        clientId,
        userId,
        organizationId: (await projects.findOrganization('main'))!.id,
        scopes: ['org:read'],
        codeHash,
        code: { challenge: 'x', redirectUri },
        codeExpiresAt: expiresAt,
        createdAt: nowMs,
      });
      const hashes = { accessHash: randomBytes(32), refreshHash: randomBytes(32) };
      if (!isExchanged) return;
      await oauth.redeemCode(codeHash, nowMs);
      const tokens = { ...hashes, accessExpiresAt: expiresAt, refreshExpiresAt: expiresAt };
      await oauth.addTokens(grantId, tokens, nowMs);
    };
    const countGrants = async ({ session: { userId } }: Self) =>
      (await database.pool.query('SELECT FROM oauth_grants WHERE user_id = $1', [userId])).rowCount;

    test('all are revoked at once, each in the log, and those of nobody else', async () => {
      const [ana, bo] = [await createMember(), await createMember()];
      const tokens = [await makeToken(ana, 'one'), await makeToken(ana, 'two')];
      const other = await makeToken(bo, 'other');
      expect(await revokeAllOwnTokens(ana)).toBe(2);
      for (const token of tokens) expect(await opens(token)).toBe(false);
      expect(await opens(other)).toBe(true);
      expect((await auditedActions(ana)).map(([action]) => action)).toEqual([
        'api-key.remove',
        'api-key.remove',
        'api-key.create',
        'api-key.create',
      ]);
      expect(mailedTo(ana.session.email)).toEqual(['All your personal tokens were revoked – Errata']);
      expect(await revokeAllOwnTokens(ana)).toBe(0);
    });

    test('a new password leaves them alone unless it is asked to revoke them', async () => {
      const self = await createMember();
      const token = await makeToken(self, 'ci');
      await connectProgram(self);
      // Allowed, and the program has not come for its token yet.
      await connectProgram(self, false);
      const change = (currentPassword: string, password: string, revokesTokens: boolean) =>
        changePassword(self, { currentPassword, password, revokesTokens });
      expect(await change(PASSWORD, NEW_PASSWORD, false)).toEqual({ tokens: 0, programs: 0 });
      expect(await opens(token)).toBe(true);
      expect(await change(NEW_PASSWORD, PASSWORD, true)).toEqual({ tokens: 1, programs: 1 });
      expect(await opens(token)).toBe(false);
      expect(await countGrants(self)).toBe(0);
      expect((await auditedActions(self)).map(([action]) => action)).toEqual([
        'user.password-change',
        'oauth-grant.remove',
        'api-key.remove',
        'user.password-change',
        'api-key.create',
      ]);
    });

    test('a reset ends what the old password opened, tokens and programs included', async () => {
      const self = await createMember();
      const [token, kept] = [await makeToken(self, 'ci'), await makeToken(await createMember(), 'kept')];
      const reset = await createPasswordReset(services.stores, self.session.email, services.now());
      const cookies = await resetPassword(services, {
        token: reset,
        password: NEW_PASSWORD,
        revokesTokens: true,
      });
      expect([await opens(token), await opens(kept)]).toEqual([false, true]);
      expect(await services.stores.authenticator.findSession(self.headers)).toBeNull();
      // Nobody else's guesses keep the person out of the sign-in that follows.
      expect(cookies).toEqual([expect.stringMatching(/^errata\.device=/)]);
    });
  });

  test('every other session ends when a passkey goes, which takes the password', async () => {
    const self = await createMember();
    const { userId } = self.session;
    const elsewhere = await signedIn(userId);
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO passkeys (id, name, public_key, user_id, credential_id, counter, device_type, backed_up)
       VALUES (gen_random_uuid()::text, 'Key', '', $1, gen_random_uuid()::text, 0, 'singleDevice', false)
       RETURNING id`,
      [userId],
    );
    const passkeyId = rows[0]?.id ?? '';
    const { authenticator } = services.stores;
    await expect(removePasskey(self, { passkeyId, currentPassword: 'wrong' })).rejects.toMatchObject({
      field: 'currentPassword',
    });
    expect(await authenticator.findSession(elsewhere.headers)).not.toBeNull();
    await removePasskey(self, { passkeyId, currentPassword: PASSWORD });
    expect(await authenticator.passkeys.list(userId)).toEqual([]);
    expect(await authenticator.findSession(elsewhere.headers)).toBeNull();
    expect(await authenticator.findSession(self.headers)).not.toBeNull();
  });

  test('a token is made with the password, in the log and with a mail', async () => {
    const self = await createMember();
    const ctx = await resolveUserContext(services, 'main', self.session);
    const make = (currentPassword: string) =>
      createOwnToken(self, ctx, { currentPassword, name: 'ci', scopes: ['org:read'], expiresAt: null });
    await expect(make('')).rejects.toMatchObject({ field: 'currentPassword' });
    await expect(make('wrong')).rejects.toMatchObject({ field: 'currentPassword' });
    expect(await listOwnTokens(self)).toEqual([]);
    const { token } = await make(PASSWORD);
    expect((await authenticateToken(services, token)).organization.slug).toBe('main');
    expect((await auditedActions(self)).map(([action]) => action)).toEqual(['api-key.create']);
    expect(mailedTo(self.session.email)).toEqual(['The token “ci” was created – Errata']);
  });

  test('an organization that requires a second factor opens with one only; tokens go on working', async () => {
    const member = await createMember();
    const memberContext = await resolveUserContext(services, 'main', member.session);
    const { token } = await createToken(memberContext, { name: 'ci', scopes: ['org:read'], expiresAt: null });
    const contextOf = (self: Self) => resolveUserContext(services, 'main', self.session);
    await expect(setTwoFactorRequired(memberContext, true)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setTwoFactorRequired(await contextOf(owner), true)).rejects.toMatchObject({
      code: 'conflict',
    });

    const { self: protectedOwner } = await protect(owner);
    await setTwoFactorRequired(await contextOf(protectedOwner), true);
    expect(await getSecondFactorPolicy(await contextOf(protectedOwner))).toMatchObject({
      requiresTwoFactor: true,
    });
    await expect(contextOf(member)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await authenticateToken(services, token)).organization.slug).toBe('main');

    const { self: protectedMember, recoveryCodes } = await protect(member);
    expect((await contextOf(protectedMember)).organization.slug).toBe('main');
    await expect(
      disableSecondFactor(protectedMember, { currentPassword: PASSWORD, code: recoveryCodes[0]! }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await setTwoFactorRequired(await contextOf(protectedOwner), false);
    await disableSecondFactor(protectedMember, { currentPassword: PASSWORD, code: recoveryCodes[0]! });
  });
});

const EMPTY_MAIL: MailMessage = { to: '', subject: '', text: '', html: '' };
