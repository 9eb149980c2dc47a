import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { createRequestWindow } from '#lib/request-window.ts';
import { startCountExchange } from '#product/machines/exchange-counts.ts';
import { createRoleProcessStore } from '#product/machines/role-process-store.ts';
import { createSharedCountStore } from '#product/machines/shared-count-store.ts';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';

const HOUR_MS = 3_600_000;

describeOnPostgres('what machines know of each other', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(() => database?.drop());

  test('a process is listed with its version and its clock until it leaves', async () => {
    const store = createRoleProcessStore(database.db);
    const own = (digit: string, role: string) => ({
      processId: `00000000-0000-4000-8000-00000000000${digit}`,
      role,
      machine: 'b.lan:9000',
      version: '0.2.0',
    });
    expect(Math.abs((await store.readClock()) - Date.now())).toBeLessThan(5_000);
    await store.beat(own('1', 'edge'), null);
    await store.beat(own('1', 'edge'), 1_234.6);
    await store.beat({ ...own('2', 'digest'), machine: 'a.lan:9000' }, -1e12);
    expect(await store.list()).toEqual([
      expect.objectContaining({ machine: 'a.lan:9000', role: 'digest', clockAheadMs: -2_147_483_647 }),
      expect.objectContaining({ machine: 'b.lan:9000', role: 'edge', version: '0.2.0', clockAheadMs: 1_235 }),
    ]);
    expect((await store.list())[0]?.silentMs).toBeLessThan(30_000);
    await store.leave(own('2', 'digest').processId);
    expect((await store.list()).map(({ role }) => role)).toEqual(['edge']);
  });

  test('counts of all machines are added up, however many tell theirs at once, and old ones are forgotten', async () => {
    const store = createSharedCountStore(database.db);
    const windowEndMs = Date.now() + HOUR_MS;
    const keys = Array.from({ length: 50 }, (_, index) => `sum:${index}`);
    await Promise.all(
      Array.from({ length: 8 }, (_, machine) => {
        const counts = keys.map((key, index) => ({ key, windowEndMs, added: index + 1 }));
        return store.exchange(machine % 2 === 0 ? counts : counts.toReversed());
      }),
    );
    const totals = await store.exchange(keys.map((key) => ({ key, windowEndMs, added: 0 })));
    expect(totals).toEqual(keys.map((_, index) => 8 * (index + 1)));
    await store.exchange([{ key: 'old', windowEndMs: Date.now() - HOUR_MS, added: 5 }]);
    await store.forgetOld();
    expect(await store.exchange([{ key: 'old', windowEndMs: Date.now() - HOUR_MS, added: 1 }])).toEqual([1]);
  });

  test('more counts than one question takes are all told in one exchange', async () => {
    const store = createSharedCountStore(database.db);
    const log = createLog('test', 'silent');
    const nowMs = Date.now();
    const window = createRequestWindow({ requestsMax: 10, windowMs: HOUR_MS, keysMax: 5_000 }, () => nowMs);
    for (let user = 0; user < 4_500; user++) window.take(`user:${user}`);
    const { exchange, stop } = startCountExchange(window, 'many', { store, log });
    await exchange();
    expect(window.listAdded(5_000)).toEqual([]);
    await stop();
  });

  test('webs that exchange what they count have one limit for a caller', async () => {
    const store = createSharedCountStore(database.db);
    const log = createLog('test', 'silent');
    const nowMs = Date.now();
    const webs = [1, 2].map(() => {
      const window = createRequestWindow({ requestsMax: 10, windowMs: HOUR_MS, keysMax: 10 }, () => nowMs);
      return { window, exchange: startCountExchange(window, 'api', { store, log }) };
    });
    for (const { window } of webs) for (let request = 0; request < 6; request++) window.take('user:1');
    for (const { exchange } of webs) await exchange.exchange();
    const [first, second] = webs;
    expect(second?.window.take('user:1')).toBeNull();
    // The first told its own before the second did.
    first?.window.take('user:1');
    await first?.exchange.exchange();
    expect(first?.window.take('user:1')).toBeNull();
    for (const { exchange } of webs) await exchange.stop();
  });
});
