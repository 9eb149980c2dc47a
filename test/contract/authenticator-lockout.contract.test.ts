import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const PASSWORD = 'three birds on a wire';
/** Longer than any password: it costs no hash, and counts all the same. */
const WRONG = 'x'.repeat(300);
const NOW_MS = Date.now();

describeOnPostgres('Authenticator, who guesses and who gets in all the same', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  let nowMs = NOW_MS;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const open = () => {
    nowMs = NOW_MS;
    return createAuthenticator({
      pool: database.pool,
      secret: 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a',
      publicUrl: 'http://localhost:9000',
      now: () => nowMs,
    });
  };
  const createUser = () =>
    open().createUser({
      email: `${randomBytes(6).toString('hex')}@example.com`,
      name: 'Ana',
      password: PASSWORD,
    });
  const from = (address: string, cookies: readonly string[] = []) =>
    new Headers({
      'x-forwarded-for': address,
      cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
    });
  const deviceCookie = (cookies: readonly string[]) => cookies.filter((each) => /[.]device=/.test(each));

  type Opened = ReturnType<typeof open>;
  const guess = (authenticator: Opened, email: string, headers: Headers, password = WRONG) =>
    authenticator.signIn({ email, password, headers });

  /** How many tries are let through until the first refusal. */
  async function triesUntilRefused(tryOnce: (count: number) => Promise<unknown>, most: number) {
    for (let count = 0; count < most; count++) {
      const outcome = await tryOnce(count).catch((error: { code?: string }) => error.code);
      if (outcome === 'rate_limited') return count;
      expect(outcome).toBeNull();
    }
    return most;
  }

  test('ten wrong passwords from one address keep nobody out who comes from another', async () => {
    const authenticator = open();
    const user = await createUser();
    const tries = await triesUntilRefused(() => guess(authenticator, user.email, from('198.51.100.1')), 20);
    expect(tries).toBe(10);
    expect(await guess(authenticator, user.email, from('203.0.113.1'), PASSWORD)).not.toBeNull();
  });

  test('one address that guesses without end never uses up the tries of the account', async () => {
    const authenticator = open();
    const user = await createUser();
    let guesses = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await guess(authenticator, user.email, from('198.51.100.1')).then(
        () => guesses++,
        () => {},
      );
      nowMs += MINUTE_MS;
    }
    expect(guesses).toBeLessThanOrEqual(10 + 24 * 30);
    expect(await guess(authenticator, user.email, from('203.0.113.1'), PASSWORD)).not.toBeNull();
  });

  test('a browser that signed in before gets in while thousands of addresses guess', async () => {
    const authenticator = open();
    const user = await createUser();
    const { cookies } = (await guess(authenticator, user.email, from('203.0.113.1'), PASSWORD))!;
    const known = deviceCookie(cookies);
    expect(known[0]).toMatch(/^errata\.device=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);

    const attack = () =>
      triesUntilRefused((count) => guess(authenticator, user.email, from(`10.1.${count}.1`)), 200);
    expect(await attack()).toBe(100);
    await expect(guess(authenticator, user.email, from('203.0.113.1'), PASSWORD)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    // From wherever it is by now, the very address of those who guess included.
    const back = await guess(authenticator, user.email, from('10.1.7.1', known), PASSWORD);
    expect(back).not.toBeNull();
    // It keeps its cookie, and its sign-in gives those who guess no more tries.
    expect(deviceCookie(back!.cookies)).toEqual([]);
    expect(await attack()).toBe(0);
  });

  test('a known browser has ten tries, then one in half a minute, and those of no other account', async () => {
    const authenticator = open();
    const [ana, bo] = [await createUser(), await createUser()];
    const { cookies } = (await guess(authenticator, ana.email, from('203.0.113.1'), PASSWORD))!;
    const known = deviceCookie(cookies);
    const asAna = (count: number) => guess(authenticator, ana.email, from(`10.2.${count}.1`, known));
    expect(await triesUntilRefused(asAna, 50)).toBe(10);
    nowMs += 30_000;
    expect(await triesUntilRefused(asAna, 50)).toBe(1);
    // For another account it is a browser like any other.
    const asBo = () => guess(authenticator, bo.email, from('10.3.0.1', known));
    expect(await triesUntilRefused(asBo, 50)).toBe(10);
  });

  test('another sign-in gives the known browsers of an account no more tries', async () => {
    const authenticator = open();
    const user = await createUser();
    const signIn = async (address: string) =>
      deviceCookie((await guess(authenticator, user.email, from(address), PASSWORD))!.cookies);
    const browsers = [await signIn('203.0.113.1'), await signIn('203.0.113.2'), await signIn('203.0.113.3')];
    const tries = await triesUntilRefused(
      (count) => guess(authenticator, user.email, from(`10.6.${count}.1`, browsers[count % 3])),
      50,
    );
    expect(tries).toBe(10);
  });

  test('another password makes the browsers unknown that knew the old one', async () => {
    const authenticator = open();
    const user = await createUser();
    const { cookies } = (await guess(authenticator, user.email, from('203.0.113.1'), PASSWORD))!;
    const before = deviceCookie(cookies);
    await authenticator.setPassword(user.id, PASSWORD);
    const after = await authenticator.knowDevice(user.id);
    // The address has no tries left: only a known browser gets further.
    await triesUntilRefused(() => guess(authenticator, user.email, from('10.7.0.1')), 20);
    await expect(guess(authenticator, user.email, from('10.7.0.1', before))).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(await guess(authenticator, user.email, from('10.7.0.1', after), PASSWORD)).not.toBeNull();
    // A browser with the old cookie gets another one when it signs in.
    const again = await guess(authenticator, user.email, from('203.0.113.1', before), PASSWORD);
    expect(deviceCookie(again!.cookies)).toHaveLength(1);
  });

  test('an address that is longer than any uses up no tries', async () => {
    const authenticator = open();
    const user = await createUser();
    const long = (count: number) => `${count}${'x'.repeat(300)}@example.com`;
    const tries = await triesUntilRefused((count) => guess(authenticator, long(count), from('10.8.0.1')), 50);
    expect(tries).toBe(50);
    expect(await guess(authenticator, user.email, from('10.8.0.1'), PASSWORD)).not.toBeNull();
  });

  test('a forged cookie, one of another secret and one of last year know nobody', async () => {
    const authenticator = open();
    const user = await createUser();
    const { cookies } = (await guess(authenticator, user.email, from('203.0.113.1'), PASSWORD))!;
    const [known = ''] = deviceCookie(cookies);
    const isKnown = async (cookie: string) => {
      const tries = open();
      // The address has no tries left: only a known browser gets further.
      await triesUntilRefused(() => guess(tries, user.email, from('10.4.0.1')), 20);
      return guess(tries, user.email, from('10.4.0.1', [cookie])).then(
        () => true,
        () => false,
      );
    };
    expect(await isKnown(known)).toBe(true);
    expect(
      await isKnown(known.replace(/=v1%3A(.)/, (_, first) => `=v1%3A${first === 'a' ? 'b' : 'a'}`)),
    ).toBe(false);
    expect(await isKnown('errata.device=nonsense')).toBe(false);
    expect(await isKnown('errata.device=%')).toBe(false);
    const other = createAuthenticator({
      pool: database.pool,
      secret: 'another secret, of another instance, long enough',
      publicUrl: 'http://localhost:9000',
    });
    expect(await isKnown((await other.knowDevice(user.id))[0] ?? '')).toBe(false);

    const late = open();
    nowMs += 181 * DAY_MS;
    for (let count = 0; count < 10; count++) await guess(late, user.email, from('10.5.0.1'));
    await expect(guess(late, user.email, from('10.5.0.1', [known]))).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });

  test('the password alone makes no browser known while a second factor is asked', async () => {
    const authenticator = open();
    const user = await createUser();
    await database.pool.query('UPDATE users SET two_factor_enabled = true WHERE id = $1', [user.id]);
    const opened = await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') });
    expect(opened.needsSecondFactor).toBe(true);
    expect(deviceCookie(opened.cookies)).toEqual([]);
  });
});
