import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { SessionLimits, SignInResult } from '#storage/ports/authenticator.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const PASSWORD = 'three birds on a wire';

describeOnPostgres('Authenticator, sessions and passwords', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  let nowMs = Date.now();
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  const open = (sessionLimits?: SessionLimits) =>
    createAuthenticator({
      sessionLimits,
      pool: database.pool,
      secret: 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a',
      publicUrl: 'http://localhost:9000',
      now: () => nowMs,
    });
  const createUser = (password: string | null = PASSWORD) =>
    open().createUser({ email: `${randomBytes(6).toString('hex')}@example.com`, name: 'Ana', password });
  const from = (address: string, cookies: readonly string[] = []) =>
    new Headers({
      'x-forwarded-for': address,
      'user-agent': `test ${address}`,
      cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
    });

  test('sessions are listed with their last use, ended one by one, and never those of others', async () => {
    const authenticator = open();
    const [ana, bo] = [await createUser(), await createUser()];
    const first = await authenticator.openSession({ userId: ana.id, headers: from('203.0.113.1') });
    const second = await authenticator.openSession({ userId: ana.id, headers: from('203.0.113.2') });
    await authenticator.openSession({ userId: bo.id, headers: from('203.0.113.3') });

    nowMs = Date.now() + 20 * MINUTE_MS;
    const current = await authenticator.findSession(from('198.51.100.9', first.cookies));
    const listed = await authenticator.sessions.list(ana.id);
    expect(listed.map(({ ipAddress, userAgent }) => [ipAddress, userAgent])).toEqual([
      ['198.51.100.9', 'test 203.0.113.1'],
      ['203.0.113.2', 'test 203.0.113.2'],
    ]);
    expect(listed[0]).toMatchObject({ id: current?.sessionId, lastUsedAt: nowMs });

    expect(await authenticator.sessions.end(bo.id, listed[1]!.id)).toBe(false);
    expect(await authenticator.sessions.end(ana.id, listed[1]!.id)).toBe(true);
    expect(await authenticator.findSession(from('203.0.113.2', second.cookies))).toBeNull();
    expect(await authenticator.sessions.list(bo.id)).toHaveLength(1);
  });

  test('all others end at once', async () => {
    const authenticator = open();
    const user = await createUser();
    const cookies = [];
    for (const host of [1, 2, 3]) {
      const opened = await authenticator.openSession({ userId: user.id, headers: from(`203.0.113.${host}`) });
      cookies.push(opened.cookies);
    }
    const kept = (await authenticator.findSession(from('203.0.113.1', cookies[0])))!;
    expect(await authenticator.sessions.endOthers(user.id, kept.sessionId)).toBe(2);
    expect((await authenticator.sessions.list(user.id)).map(({ id }) => id)).toEqual([kept.sessionId]);
  });

  test('the last use is written every five minutes, not at every look', async () => {
    const authenticator = open();
    const user = await createUser();
    const { cookies } = await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') });
    const lastUse = async () => (await authenticator.sessions.list(user.id))[0]?.lastUsedAt;
    await authenticator.findSession(from('203.0.113.1', cookies));
    const first = nowMs;
    nowMs += 4 * MINUTE_MS;
    await authenticator.findSession(from('203.0.113.1', cookies));
    expect(await lastUse()).toBe(first);
    nowMs += MINUTE_MS;
    await authenticator.findSession(from('203.0.113.1', cookies));
    expect(await lastUse()).toBe(nowMs);
  });

  test('a session ends after a week without use, everywhere', async () => {
    nowMs = Date.now();
    const authenticator = open();
    const user = await createUser();
    const [used, idle] = [
      await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') }),
      await authenticator.openSession({ userId: user.id, headers: from('203.0.113.2') }),
    ];
    const find = ({ cookies }: SignInResult, host: number) =>
      authenticator.findSession(from(`203.0.113.${host}`, cookies));
    const idleId = (await find(idle, 2))?.sessionId ?? '';
    expect((await authenticator.sessions.list(user.id)).map(({ endsAt }) => endsAt - nowMs)).toEqual([
      expect.closeTo(7 * DAY_MS, -5),
      expect.closeTo(7 * DAY_MS, -5),
    ]);
    nowMs += 6 * DAY_MS;
    expect(await find(used, 1)).not.toBeNull();
    nowMs += DAY_MS + MINUTE_MS;
    expect(await authenticator.sessions.isOpen(idleId)).toBe(false);
    expect(await authenticator.sessions.list(user.id)).toHaveLength(1);
    expect(await find(idle, 2)).toBeNull();
    expect(await find(used, 1)).not.toBeNull();
    // It is gone, not only refused: a clock that is set back brings it back no more.
    nowMs -= 2 * DAY_MS;
    expect(await open().findSession(from('203.0.113.2', idle.cookies))).toBeNull();
    nowMs = Date.now();
  });

  test('looking whether a session is open is no use of it', async () => {
    nowMs = Date.now();
    const authenticator = open();
    const user = await createUser();
    const { cookies } = await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') });
    const { sessionId } = (await authenticator.findSession(from('203.0.113.1', cookies)))!;
    for (let day = 1; day <= 7; day++) {
      expect(await authenticator.sessions.isOpen(sessionId)).toBe(true);
      nowMs += DAY_MS;
    }
    expect(await authenticator.sessions.isOpen(sessionId)).toBe(false);
    nowMs = Date.now();
  });

  test('limits that are set lower hold for sessions from before, used or not', async () => {
    nowMs = Date.now();
    const user = await createUser();
    const { cookies } = await open().openSession({ userId: user.id, headers: from('203.0.113.1') });
    const strict = open({ idleMsMax: 8 * 3_600_000, ageMsMax: 24 * 3_600_000 });
    const find = () => strict.findSession(from('203.0.113.1', cookies));
    for (let hour = 6; hour < 24; hour += 6) {
      nowMs += 6 * 3_600_000;
      expect(await find()).not.toBeNull();
    }
    nowMs += 6 * 3_600_000 + MINUTE_MS;
    expect(await find()).toBeNull();
    nowMs = Date.now();
    const opened = await strict.openSession({ userId: user.id, headers: from('203.0.113.1') });
    expect(opened.cookies.join()).toContain(`Max-Age=${24 * 3600};`);
  });

  test('sessions from before the upgrade go on, until they were not used for a week', async () => {
    nowMs = Date.now();
    const authenticator = open();
    const user = await createUser();
    const opened = [];
    for (const usedDaysAgo of [6, 8]) {
      const { cookies } = await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') });
      const session = await authenticator.findSession(from('203.0.113.1', cookies));
      await database.pool.query(
        `UPDATE sessions SET created_at = now() - interval '20 days', expires_at = now() + interval '10 days',
           last_used_at = now() - make_interval(days => $2) WHERE id = $1`,
        [session?.sessionId, usedDaysAgo],
      );
      opened.push(from('203.0.113.1', cookies));
    }
    expect(await open().findSession(opened[0]!)).not.toBeNull();
    expect(await open().findSession(opened[1]!)).toBeNull();
  });

  test('a changed password keeps the session that changed it and ends the others', async () => {
    const authenticator = open();
    const user = await createUser();
    const [own, other] = [
      await authenticator.openSession({ userId: user.id, headers: from('203.0.113.1') }),
      await authenticator.openSession({ userId: user.id, headers: from('203.0.113.2') }),
    ];
    const session = (await authenticator.findSession(from('203.0.113.1', own.cookies)))!;
    await authenticator.setPassword(user.id, 'four birds on a wire', session.sessionId);
    expect(await authenticator.findSession(from('203.0.113.1', own.cookies))).not.toBeNull();
    expect(await authenticator.findSession(from('203.0.113.2', other.cookies))).toBeNull();
  });

  test('the own password is tried ten times; without one nothing is right', async () => {
    const authenticator = open();
    const [user, without] = [await createUser(), await createUser(null)];
    const check = (userId: string, password: string) => authenticator.checkPassword({ userId, password });
    expect(await check(user.id, PASSWORD)).toBe(true);
    for (let count = 1; count <= 10; count++) expect(await check(user.id, 'wrong password 1')).toBe(false);
    await expect(check(user.id, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await check(without.id, '')).toBe(false);
    expect(
      await authenticator.signIn({ email: without.email, password: 'x', headers: from('198.51.100.14') }),
    ).toBeNull();
  });

  test('tries at the sign-in and of somebody with a session do not count together', async () => {
    const authenticator = open();
    const [ana, bo] = [await createUser(), await createUser()];
    const tryOut = () =>
      authenticator.signIn({ email: ana.email, password: 'wrong', headers: from('198.51.100.1') });
    for (let count = 1; count <= 10; count++) expect(await tryOut()).toBeNull();
    await expect(tryOut()).rejects.toMatchObject({ code: 'rate_limited' });
    const check = (userId: string, password: string) => authenticator.checkPassword({ userId, password });
    expect(await check(ana.id, PASSWORD)).toBe(true);
    for (let count = 1; count <= 10; count++) expect(await check(bo.id, 'wrong')).toBe(false);
    const headers = from('198.51.100.23');
    expect(await authenticator.signIn({ email: bo.email, password: PASSWORD, headers })).not.toBeNull();
  });

  test('an unknown address takes as long as a wrong password', async () => {
    const authenticator = open();
    const user = await createUser();
    const time = async (email: string, host: number) => {
      // Of the processor: what else this machine does must not count.
      const before = process.cpuUsage();
      await authenticator.signIn({ email, password: 'wrong password 1', headers: from(`192.0.2.${host}`) });
      const used = process.cpuUsage(before);
      return used.user + used.system;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++) {
      known.push(await time(user.email, round));
      unknown.push(await time(`nobody${round}@example.com`, 100 + round));
    }
    // Nearly all of it is the hash; an answer without one would take a twentieth.
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });
});
