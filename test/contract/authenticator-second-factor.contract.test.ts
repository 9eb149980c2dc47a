import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountStore } from '#product/accounts/store/account-store.ts';
import type { Authenticator } from '#storage/ports/authenticator.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { nextTotpCode, totpCode } from '../harness/totp.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const PASSWORD = 'three birds on a wire';
const WRONG_CODE = '000000';

describeOnPostgres('Authenticator, the second factor', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const open = (now?: () => number): Authenticator =>
    createAuthenticator({
      pool: database.pool,
      secret: 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a',
      publicUrl: 'http://localhost:9000',
      now,
    });

  const createUser = (authenticator: Authenticator, password: string | null = PASSWORD) =>
    authenticator.createUser({
      email: `${randomBytes(6).toString('hex')}@example.com`,
      name: 'Ana',
      password,
    });

  const withCookies = (...cookies: readonly (readonly string[])[]) => {
    const jar = new Map(cookies.flat().map((cookie) => pairOf(cookie)));
    return new Headers({
      'x-forwarded-for': '203.0.113.7',
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    });
  };

  /** A user whose app and recovery codes are known, with the code that switched it on. */
  async function createProtected(authenticator: Authenticator, password: string | null = PASSWORD) {
    const user = await createUser(authenticator, password);
    const session = await authenticator.openSession({ userId: user.id, headers: withCookies() });
    const made = await authenticator.secondFactor.begin({ password, headers: withCookies(session.cookies) });
    const code = totpCode(made.secret);
    const cookies = await authenticator.secondFactor.confirm({
      userId: user.id,
      code,
      headers: withCookies(session.cookies),
    });
    return { user, ...made, usedCode: code, cookies: cookies ?? [] };
  }

  const signIn = async (authenticator: Authenticator, email: string, headers = withCookies()) =>
    (await authenticator.signIn({ email, password: PASSWORD, headers }))!;

  test('it is off until a code of the app was right', async () => {
    const authenticator = open();
    const user = await createUser(authenticator);
    const { cookies } = await signIn(authenticator, user.email);
    const headers = withCookies(cookies);
    const made = await authenticator.secondFactor.begin({ password: PASSWORD, headers });
    expect(made.uri).toMatch(/^otpauth:\/\/totp\/Errata:/);
    expect(new Set(made.recoveryCodes).size).toBe(10);
    expect(await authenticator.secondFactor.findStatus(user.id)).toBeNull();
    expect((await signIn(authenticator, user.email)).needsSecondFactor).toBe(false);

    const confirm = (code: string) => authenticator.secondFactor.confirm({ userId: user.id, code, headers });
    expect(await confirm(WRONG_CODE)).toBeNull();
    const replaced = await confirm(
      ` ${totpCode(made.secret).slice(0, 3)} ${totpCode(made.secret).slice(3)} `,
    );
    expect(await authenticator.secondFactor.findStatus(user.id)).toEqual({ recoveryCodesLeft: 10 });
    // The session that switched it on goes on, under another name.
    expect(await authenticator.findSession(headers)).toBeNull();
    expect(await authenticator.findSession(withCookies(replaced!))).toMatchObject({
      hasTwoFactorEnabled: true,
    });
  });

  test('the password alone opens nothing but the second step, and a code opens once', async () => {
    const authenticator = open();
    const { user, secret, usedCode } = await createProtected(authenticator);
    const first = await signIn(authenticator, user.email);
    expect(first.needsSecondFactor).toBe(true);
    const headers = withCookies(first.cookies);
    expect(await authenticator.findSession(headers)).toBeNull();
    expect(await authenticator.secondFactor.findChallenged(headers)).toBe(user.id);

    const verify = (code: string, given = headers) =>
      authenticator.secondFactor.verify({ kind: 'app', code, trustsBrowser: false, headers: given });
    expect(await verify(WRONG_CODE)).toBeNull();
    // Whoever looked on while it was typed gets nowhere.
    expect(await verify(usedCode)).toBeNull();
    const code = await nextTotpCode(secret, usedCode);
    const cookies = await verify(code);
    expect(await authenticator.findSession(withCookies(cookies!))).toMatchObject({ userId: user.id });
    await expect(verify(code)).rejects.toMatchObject({ code: 'unauthorized' });
    const again = await signIn(authenticator, user.email);
    expect(await verify(code, withCookies(again.cookies))).toBeNull();
  }, 60_000);

  test('a recovery code opens once, however it is typed, and is counted down', async () => {
    const authenticator = open();
    const { user, recoveryCodes } = await createProtected(authenticator);
    const verify = async (code: string) => {
      const { cookies } = await signIn(authenticator, user.email);
      const input = { kind: 'recovery', code, trustsBrowser: false, headers: withCookies(cookies) } as const;
      return authenticator.secondFactor.verify(input);
    };
    const code = recoveryCodes[3]!;
    expect(await verify(code.toUpperCase().replace('-', ' '))).not.toBeNull();
    expect(await verify(code)).toBeNull();
    expect(await authenticator.secondFactor.findStatus(user.id)).toEqual({ recoveryCodesLeft: 9 });

    const { cookies } = await authenticator.openSession({ userId: user.id, headers: withCookies() });
    const second = await authenticator.secondFactor.verify({
      kind: 'recovery',
      code: recoveryCodes[4]!,
      trustsBrowser: false,
      headers: withCookies(cookies),
    });
    const renewed = await authenticator.secondFactor.renewRecoveryCodes({
      password: PASSWORD,
      headers: withCookies(second!),
    });
    expect(await verify(recoveryCodes[5]!)).toBeNull();
    expect(await verify(renewed[0]!)).not.toBeNull();
  });

  test('the table holds neither secret nor recovery codes', async () => {
    const { user, secret, recoveryCodes } = await createProtected(open());
    const { rows } = await database.pool.query('SELECT * FROM two_factors WHERE user_id = $1', [user.id]);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('base64url'));
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });

  test('a browser that was trusted skips the second step, until the password changes', async () => {
    const authenticator = open();
    const { user, recoveryCodes } = await createProtected(authenticator);
    const { cookies } = await signIn(authenticator, user.email);
    const opened = await authenticator.secondFactor.verify({
      kind: 'recovery',
      code: recoveryCodes[0]!,
      trustsBrowser: true,
      headers: withCookies(cookies),
    });
    const trusted = opened!.filter((cookie) => cookie.startsWith('errata.trust_device='));
    expect(trusted).toHaveLength(1);
    const second = await signIn(authenticator, user.email, withCookies(trusted));
    expect(second.needsSecondFactor).toBe(false);
    const rotated = second.cookies.filter((cookie) => cookie.startsWith('errata.trust_device='));

    // It belongs to one account.
    const other = await createProtected(authenticator);
    expect((await signIn(authenticator, other.user.email, withCookies(rotated))).needsSecondFactor).toBe(
      true,
    );

    await authenticator.setPassword(user.id, PASSWORD);
    expect((await signIn(authenticator, user.email, withCookies(rotated))).needsSecondFactor).toBe(true);
  });

  test('a session without a password is asked for it as well', async () => {
    const authenticator = open();
    const { user, recoveryCodes } = await createProtected(authenticator, null);
    const opened = await authenticator.openSession({ userId: user.id, headers: withCookies() });
    expect(opened.needsSecondFactor).toBe(true);
    expect(await authenticator.findSession(withCookies(opened.cookies))).toBeNull();
    const cookies = await authenticator.secondFactor.verify({
      kind: 'recovery',
      code: recoveryCodes[0]!,
      trustsBrowser: false,
      headers: withCookies(opened.cookies),
    });
    expect(await authenticator.findSession(withCookies(cookies!))).toMatchObject({ userId: user.id });
  });

  test('switching it off takes a code, and then the password is enough', async () => {
    const authenticator = open();
    const { user, recoveryCodes, cookies } = await createProtected(authenticator);
    const disable = (code: string) =>
      authenticator.secondFactor.disable({
        userId: user.id,
        password: PASSWORD,
        code,
        headers: withCookies(cookies),
      });
    expect(await disable(WRONG_CODE)).toBeNull();
    expect(await disable('aaaaa-aaaaa')).toBeNull();
    const replaced = await disable(recoveryCodes[0]!);
    expect(await authenticator.findSession(withCookies(replaced!))).toMatchObject({
      hasTwoFactorEnabled: false,
    });
    expect((await signIn(authenticator, user.email)).needsSecondFactor).toBe(false);
  });

  test('every other session ends when it is switched on, and when it is switched off', async () => {
    const authenticator = open();
    const [user, bystander] = [await createUser(authenticator), await createUser(authenticator)];
    const enter = async (userId: string) =>
      withCookies((await authenticator.openSession({ userId, headers: withCookies() })).cookies);
    const isOpen = async (headers: Headers) => (await authenticator.findSession(headers)) !== null;
    const [own, stolen, others] = [await enter(user.id), await enter(user.id), await enter(bystander.id)];
    const made = await authenticator.secondFactor.begin({ password: PASSWORD, headers: own });
    expect(await isOpen(stolen)).toBe(true);
    const input = { userId: user.id, code: totpCode(made.secret), headers: own };
    const afterOn = withCookies((await authenticator.secondFactor.confirm(input)) ?? []);
    expect([await isOpen(afterOn), await isOpen(stolen), await isOpen(others)]).toEqual([true, false, true]);
    expect(await authenticator.sessions.list(user.id)).toHaveLength(1);

    const signedIn = await signIn(authenticator, user.email);
    const second = await authenticator.secondFactor.verify({
      kind: 'recovery',
      code: made.recoveryCodes[0]!,
      trustsBrowser: false,
      headers: withCookies(signedIn.cookies),
    });
    // Who passed both steps is known from then on.
    expect(second?.filter((cookie) => cookie.startsWith('errata.device='))).toHaveLength(1);
    const elsewhere = withCookies(second ?? []);
    expect(await isOpen(elsewhere)).toBe(true);
    const afterOff = await authenticator.secondFactor.disable({
      userId: user.id,
      password: PASSWORD,
      code: made.recoveryCodes[1]!,
      headers: afterOn,
    });
    expect(await isOpen(withCookies(afterOff ?? []))).toBe(true);
    expect([await isOpen(elsewhere), await isOpen(afterOn), await isOpen(others)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('an operator takes it away from somebody who has lost everything, and ends what is open', async () => {
    const authenticator = open();
    const accounts = createAccountStore(database);
    const { user, cookies } = await createProtected(authenticator);
    expect(await authenticator.findSession(withCookies(cookies))).not.toBeNull();
    expect(await accounts.removeTwoFactor(user.id)).toBe(true);
    expect(await authenticator.findSession(withCookies(cookies))).toBeNull();
    expect(await accounts.removeTwoFactor(user.id)).toBe(false);
    expect((await signIn(authenticator, user.email)).needsSecondFactor).toBe(false);
    const { rows } = await database.pool.query('SELECT id FROM two_factors WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  describe('guessing', () => {
    test('five wrong codes end the sign-in', async () => {
      const authenticator = open();
      const { user } = await createProtected(authenticator);
      const { cookies } = await signIn(authenticator, user.email);
      const guess = (index: number) =>
        authenticator.secondFactor.verify({
          kind: 'recovery',
          code: `wrong-0000${index}`,
          trustsBrowser: false,
          headers: withCookies(cookies),
        });
      for (let index = 0; index < 5; index++) expect(await guess(index)).toBeNull();
      await expect(guess(5)).rejects.toMatchObject({ code: 'unauthorized' });
      expect(await authenticator.secondFactor.findChallenged(withCookies(cookies))).toBeNull();
    });

    test('a user is tried ten times over however many sign-ins, and a restart forgets nothing', async () => {
      const authenticator = open();
      const { user } = await createProtected(authenticator);
      const guess = async (by: Authenticator, index: number) => {
        const { cookies } = await by.openSession({ userId: user.id, headers: withCookies() });
        const headers = withCookies(cookies);
        headers.set('x-forwarded-for', `198.51.100.${index}`);
        return by.secondFactor.verify({
          kind: 'recovery',
          code: 'wrong-00000',
          trustsBrowser: false,
          headers,
        });
      };
      for (let index = 0; index < 10; index++) expect(await guess(authenticator, index)).toBeNull();
      await expect(guess(authenticator, 10)).rejects.toMatchObject({ code: 'rate_limited' });
      await expect(guess(open(), 11)).rejects.toMatchObject({ code: 'rate_limited' });
    });

    test('a forged challenge opens nothing', async () => {
      const authenticator = open();
      const { user, recoveryCodes } = await createProtected(authenticator);
      const { cookies } = await signIn(authenticator, user.email);
      const forged = cookies.map((cookie) => cookie.replace(/(%2E|\.)[^.;]{8}/i, '$1AAAAAAAA'));
      const verifying = authenticator.secondFactor.verify({
        kind: 'recovery',
        code: recoveryCodes[0]!,
        trustsBrowser: false,
        headers: withCookies(forged),
      });
      await expect(
        verifying.then(
          (found) => found ?? 'nothing',
          () => 'nothing',
        ),
      ).resolves.toBe('nothing');
    });
  });
});

function pairOf(cookie: string): [string, string] {
  const [pair = ''] = cookie.split(';');
  const equals = pair.indexOf('=');
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}
