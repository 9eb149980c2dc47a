import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { createAccountStore } from '#product/accounts/store/account-store.ts';
import { connectAlone, openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { createChangeFeed } from '#storage/postgres/feeds.ts';
import { createJobRunner } from '#storage/postgres/job-runner.ts';
import { createRelationalPurge } from '#storage/postgres/relational-purge.ts';
import { inTransaction } from '#storage/postgres/transaction.ts';
import { poolerMissing, startPgBouncer } from '../harness/pgbouncer.ts';
import {
  startPostgresPair,
  startPostgresServer,
  type TestPostgres,
  urlOfBoth,
} from '../harness/postgres-servers.ts';
import { until } from '../harness/until.ts';

const log = createLog('contract', 'silent');

describe('several hosts in the URL', () => {
  let pair: Awaited<ReturnType<typeof startPostgresPair>>;
  let database: PostgresDatabase;

  beforeAll(async () => {
    pair = await startPostgresPair();
    // The standby comes first: an order is no choice.
    database = openPostgres(urlOfBoth(pair.standby, pair.primary));
  });
  afterAll(async () => {
    await database?.close();
    await Promise.all([pair?.primary.remove(), pair?.standby.remove()]);
  });

  const portOf = async () => {
    const { rows } = await database.pool.query<{ port: string }>(`SELECT current_setting('port') AS port`);
    return Number(rows[0]?.port);
  };

  test('the one that can be written to is used, in a pool and alone', async () => {
    expect(await portOf()).toBe(pair.primary.port);
    const alone = await connectAlone(database.url);
    const { rows } = await alone.query(`SELECT pg_is_in_recovery() AS is_standby`);
    expect(rows).toEqual([{ is_standby: false }]);
    await alone.end();
  });

  test('when it dies everything waits, and goes on with the other one once that is promoted', async () => {
    await database.pool.query('CREATE TABLE numbers (n integer)');
    await database.pool.query('INSERT INTO numbers VALUES (1)');
    const feed = createChangeFeed({ url: database.url, log });
    const heard: number[] = [];
    feed.subscribe(({ organizationId }) => heard.push(organizationId));
    const tell = (organizationId: number) =>
      database.pool.query(`SELECT pg_notify('errata_changes', $1)`, [
        JSON.stringify({ organizationId, projectIds: [1] }),
      ]);
    await until('the feed listens', async () => {
      await tell(1);
      return heard.includes(1);
    });

    await pair.primary.kill();
    // The first answers may be of connections that the dead server still ends.
    await expect
      .poll(() => portOf().catch((error: unknown) => error))
      .toMatchObject({ code: 'unavailable', message: expect.stringMatching(/is a standby/) });
    await pair.standby.run('SELECT pg_promote()');
    await until('the promoted server is written to', () =>
      database.pool.query('INSERT INTO numbers VALUES (2)').then(
        () => true,
        () => false,
      ),
    );
    expect(await portOf()).toBe(pair.standby.port);
    const { rows } = await database.pool.query('SELECT n FROM numbers ORDER BY n');
    expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
    await until('the feed listens again', async () => {
      await tell(2);
      return heard.includes(2);
    });
    await feed.close();
  });

  test('a server that becomes read-only is left at once', async () => {
    await pair.standby.run('ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.standby.run('SELECT pg_reload_conf()');
    const write = () => database.pool.query('INSERT INTO numbers VALUES (3)');
    await until('it refuses to be written to', () =>
      write().then(
        () => false,
        ({ code }: { code: string }) => code === 'unavailable',
      ),
    );
    await expect(write()).rejects.toThrow(/is read-only/);
    await pair.standby
      .run('BEGIN READ WRITE; ALTER SYSTEM RESET default_transaction_read_only')
      .catch(() => {});
  });
});

describe('a pooler in transaction mode', () => {
  const missing = poolerMissing();
  let server: TestPostgres;
  let pooler: { url: string; stop(): void };
  let database: PostgresDatabase;

  beforeAll(async () => {
    if (missing !== null) return;
    server = await startPostgresServer();
    pooler = await startPgBouncer(server);
    database = openPostgres(pooler.url, { isPooled: true, poolMax: 20 });
  });
  afterAll(async () => {
    await database?.close();
    pooler?.stop();
    await server?.remove();
  });

  const timeoutOf = async (pool: Pick<PostgresDatabase['pool'], 'query'>) => {
    const { rows } = await pool.query<{ timeout: string }>(
      `SELECT current_setting('statement_timeout') AS timeout`,
    );
    return rows[0]?.timeout;
  };

  test('a transaction has its limits, and leaves none to who gets its connection next', async ({ skip }) => {
    if (missing !== null) return skip(missing);
    expect(await inTransaction(database.pool, ({ pool }) => timeoutOf(pool))).toBe('30s');
    expect(await database.db.transaction().execute(() => timeoutOf(database.pool))).toBe('0');
    const after = await Promise.all(Array.from({ length: 20 }, () => timeoutOf(database.pool)));
    expect(new Set(after)).toEqual(new Set(['0']));
  });

  test('the lock of a set-up is over with it, whoever had its connection', async ({ skip }) => {
    if (missing !== null) return skip(missing);
    const { withSetupLock } = createAccountStore(database);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 3 }, () =>
        withSetupLock(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await timeoutOf(database.pool);
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    const { rows } = await server.run(
      `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory'`,
    );
    expect(rows).toEqual([{ held: 0 }]);
  });

  test('a purge goes around it, and leaves none of its limits to others', async ({ skip }) => {
    if (missing !== null) return skip(missing);
    await server.run('CREATE TABLE purged AS SELECT n FROM generate_series(1, 100) n');
    const purged = await createRelationalPurge(database.pool, server.url).purge(['purged']);
    expect(purged).toMatchObject({ hasRewrittenTables: true });
    const limits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { rows } = await database.pool.query<{ limits: string }>(
          `SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') AS limits`,
        );
        return rows[0]?.limits;
      }),
    );
    expect(new Set(limits)).toEqual(new Set(['0 0']));
  });

  test('jobs run through it', async ({ skip }) => {
    if (missing !== null) return skip(missing);
    const runner = createJobRunner(pooler.url, log);
    await runner.start([{ name: 'nothing', schedule: '* * * * *', run: async () => {} }]);
    expect(runner.check()).toEqual({ ok: true, detail: '1 schedules' });
    await runner.stop();
  });

  test('without DATABASE_DIRECT_URL the message says what is missing', async ({ skip }) => {
    if (missing !== null) return skip(missing);
    const unaware = openPostgres(pooler.url);
    await expect(unaware.ping()).rejects.toThrow(/A pooler answers .* set DATABASE_DIRECT_URL/);
    await unaware.close();
  });
});
