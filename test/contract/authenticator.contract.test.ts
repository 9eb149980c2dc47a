import { getMigrations } from 'better-auth/db/migration';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAccountStore } from '#product/accounts/store/account-store.ts';
import type { Authenticator } from '#storage/ports/authenticator.ts';
import { type AuthenticatorSettings, createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { loadAuthOptions } from '#storage/postgres/auth/library.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const SECRET = 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a';
const PASSWORD = 'three birds on a wire';
const DAY_SECONDS = 24 * 3600;

describeOnPostgres('Authenticator', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  let users = 0;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const open = (settings: Partial<AuthenticatorSettings> = {}) =>
    createAuthenticator({
      pool: database.pool,
      secret: SECRET,
      publicUrl: 'http://192.168.1.20:9000',
      ...settings,
    });

  async function createUser(authenticator = open()) {
    users++;
    return authenticator.createUser({
      email: `User${users}@Example.com`,
      name: `User ${users}`,
      password: PASSWORD,
    });
  }

  const from = (address: string) => new Headers({ 'x-forwarded-for': address, 'user-agent': 'test' });
  const withCookies = (cookies: readonly string[]) =>
    new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') });

  /** The cookies of a session, or null. */
  async function signIn(
    authenticator: Authenticator,
    input: Parameters<Authenticator['signIn']>[0],
  ): Promise<readonly string[] | null> {
    const result = await authenticator.signIn(input);
    expect(result?.needsSecondFactor).not.toBe(true);
    return result?.cookies ?? null;
  }

  test('the library finds every table and column that it needs, and nothing to add', async () => {
    const plan = await getMigrations(
      await loadAuthOptions({
        pool: database.pool,
        secret: SECRET,
        publicUrl: 'http://localhost:9000',
        sessionAgeMsMax: DAY_SECONDS * 1000,
      }),
    );
    expect(plan.toBeCreated).toEqual([]);
    expect(plan.toBeAdded).toEqual([]);
    expect(plan.toBeAddedIndexes).toEqual([]);
    expect(plan.schemaProblems).toEqual([]);
  });

  test('a user signs in with e-mail and password, is recognized, and signs out for good', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    const cookies = await signIn(authenticator, {
      email: user.email.toUpperCase(),
      password: PASSWORD,
      headers: from('203.0.113.1'),
    });
    expect(cookies).not.toBeNull();
    const session = {
      sessionId: expect.any(String),
      userId: user.id,
      email: user.email,
      name: user.name,
      isInstanceOwner: false,
      hasTwoFactorEnabled: false,
      createdAt: expect.closeTo(Date.now(), -5),
    };
    expect(await authenticator.findSession(withCookies(cookies!))).toEqual(session);
    // Another process knows the session too.
    expect(await open().findSession(withCookies(cookies!))).toEqual(session);

    const ended = await authenticator.signOut(withCookies(cookies!));
    expect(ended[0]).toMatch(/^errata\.session_token=; Max-Age=0/);
    expect(await authenticator.findSession(withCookies(cookies!))).toBeNull();
  });

  test('nobody is recognized without a cookie, with a forged one, or with one of another secret', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    const cookies = await signIn(authenticator, {
      email: user.email,
      password: PASSWORD,
      headers: from('203.0.113.2'),
    });
    expect(await authenticator.findSession(new Headers())).toBeNull();
    const forged = cookies!.map((cookie) =>
      cookie.replace(/=(.)/, (_, first) => `=${first === 'a' ? 'b' : 'a'}`),
    );
    expect(await authenticator.findSession(withCookies(forged))).toBeNull();
    expect(await open({ secret: `${SECRET}2` }).findSession(withCookies(cookies!))).toBeNull();
  });

  test('ownership of the instance shows in the session', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    await createAccountStore(database).setInstanceOwner(user.id);
    const cookies = await signIn(authenticator, {
      email: user.email,
      password: PASSWORD,
      headers: from('203.0.113.3'),
    });
    expect(await authenticator.findSession(withCookies(cookies!))).toMatchObject({ isInstanceOwner: true });
  });

  test.each(['development', 'production', 'test'])(
    'a session cookie is restricted, in %s too',
    async (environment) => {
      vi.stubEnv('NODE_ENV', environment);
      try {
        const plain = open();
        const user = await createUser(plain);
        const input = { email: user.email, password: PASSWORD, headers: from('203.0.113.4') };
        const [overHttp] = (await signIn(plain, input)) ?? [];
        expect(overHttp).toMatch(/^errata\.session_token=/);
        expect(overHttp).toContain('; HttpOnly');
        expect(overHttp).toContain('; SameSite=Lax');
        expect(overHttp).toContain('; Path=/');
        expect(overHttp).toContain(`; Max-Age=${30 * DAY_SECONDS}`);
        expect(overHttp).not.toContain('Secure');

        const [overHttps] = (await signIn(open({ publicUrl: 'https://errata.example.com' }), input)) ?? [];
        expect(overHttps).toMatch(/^__Host-errata\.session_token=/);
        expect(overHttps).toContain('; Secure');
        expect(overHttps).toContain('; HttpOnly');
        expect(overHttps).toContain('; Path=/;');
        expect(overHttps).not.toContain('Domain');
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  test('a wrong password, an unknown address and something that is no address get the same answer', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    const headers = from('203.0.113.5');
    expect(
      await authenticator.signIn({
        email: user.email, // Longer than any may be: it counts as a try, and costs no hash.
        password: 'x'.repeat(300),
        headers,
      }),
    ).toBeNull();
    expect(
      await authenticator.signIn({ email: 'nobody@example.com', password: PASSWORD, headers }),
    ).toBeNull();
    expect(await authenticator.signIn({ email: 'no address', password: PASSWORD, headers })).toBeNull();
    expect(
      await authenticator.signIn({ email: user.email, password: 'x'.repeat(100_000), headers }),
    ).toBeNull();
  });

  test('an address is used once, whatever its case', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    await expect(
      authenticator.createUser({ email: user.email.toUpperCase(), name: 'Other', password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'conflict', field: 'email' });
    const both = await Promise.allSettled(
      [1, 2].map((name) =>
        authenticator.createUser({ email: 'race@example.com', name: `${name}`, password: PASSWORD }),
      ),
    );
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'conflict' });
  });

  test('a new password ends every session and takes the place of the old one', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    const headers = from('203.0.113.6');
    const first = await signIn(authenticator, { email: user.email, password: PASSWORD, headers });
    const second = await signIn(authenticator, { email: user.email, password: PASSWORD, headers });
    await authenticator.setPassword(user.id, 'four birds on a wire');
    expect(await authenticator.findSession(withCookies(first!))).toBeNull();
    expect(await authenticator.findSession(withCookies(second!))).toBeNull();
    expect(await authenticator.signIn({ email: user.email, password: PASSWORD, headers })).toBeNull();
    expect(
      await authenticator.signIn({ email: user.email, password: 'four birds on a wire', headers }),
    ).not.toBeNull();
  });

  test('answers of an identity provider are tried 30 times from one address', async () => {
    const authenticator = open({
      now: () => Date.UTC(2026, 10, 21),
      singleSignOn: {
        name: 'Example ID',
        issuer: 'http://127.0.0.1:9',
        clientId: 'errata',
        clientSecret: 'secret',
        allowedDomains: [],
        autoJoin: null,
      },
    });
    const finish = (address: string) =>
      authenticator.singleSignOn?.finish({ query: new URLSearchParams(), headers: from(address) });
    for (let count = 1; count <= 30; count++) expect(await finish('203.0.113.7')).toBeNull();
    await expect(finish('203.0.113.7')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await finish('203.0.113.8')).toBeNull();
  });

  describe.each(['development', 'production'])('throttling in %s', (environment) => {
    test('one account is tried 100 times, from however many addresses, and then twice a minute', async () => {
      vi.stubEnv('NODE_ENV', environment);
      try {
        let now = Date.UTC(2026, 10, 21);
        const authenticator = open({ now: () => now });
        const user = await createUser(authenticator);
        // A password that is longer than any costs no hash, and counts all the same.
        const tryFrom = (host: number, password = 'x'.repeat(300)) =>
          authenticator.signIn({ email: user.email, password, headers: from(`198.51.100.${host}`) });
        for (let host = 1; host <= 100; host++) expect(await tryFrom(host)).toBeNull();
        await expect(tryFrom(101)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 30 });
        // Not even the right password tells anything.
        await expect(tryFrom(102, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
        now += 30_000;
        expect(await tryFrom(103, PASSWORD)).not.toBeNull();
        // A sign-in takes no try, and gives those who guess none back.
        expect(await tryFrom(104)).toBeNull();
        await expect(tryFrom(105)).rejects.toMatchObject({ code: 'rate_limited' });
      } finally {
        vi.unstubAllEnvs();
      }
    });

    test('one address tries 30 times, over however many accounts, and cannot pretend to be others', async () => {
      vi.stubEnv('NODE_ENV', environment);
      try {
        const authenticator = open({ now: () => Date.UTC(2026, 10, 21) });
        const tryAs = (account: number) =>
          authenticator.signIn({
            email: `guess${account}@example.com`,
            // Longer than any may be: it counts as a try, and costs no hash.
            password: 'x'.repeat(300),
            headers: from(`198.51.100.${account}, 203.0.113.99`),
          });
        const tries = await Promise.allSettled(Array.from({ length: 40 }, (_, account) => tryAs(account)));
        expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(30);
        expect(tries.filter((result) => result.status === 'rejected')).toHaveLength(10);
      } finally {
        vi.unstubAllEnvs();
      }
    });
  });
});
