import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectStore } from '#product/projects/store/project-store.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import {
  createMigratedPostgres,
  describeOnClickhouseServer,
  describeOnPostgres,
  openMissingClickhouse,
} from './engines.ts';
import { makeEvent, NOON_MS } from './sample-events.ts';
import { makeRow } from './sample-telemetry.ts';

const UNAVAILABLE = { name: 'ErrataError', code: 'unavailable' };

/** A server that hangs up on everybody. */
let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((socket: Socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterEach(() => {
  server.close();
});

const event = makeEvent({ organizationId: 1, projectId: 1 });

describe('a store that is away is told from a defect', () => {
  test('PostgreSQL that hangs up', async () => {
    const database = openPostgres(`postgres://errata:secret@127.0.0.1:${port}/errata`);
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(createProjectStore(database.db).findOrganization('main')).rejects.toMatchObject(UNAVAILABLE);
    const stretch = { spoolId: 's', from: 0, to: 1 };
    await expect(
      createDigestStore(database.db).assign(stretch, [event], [], [], NOON_MS),
    ).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });

  test('PostgreSQL that is not there', async () => {
    server.close();
    const database = openPostgres(`postgres://errata:secret@127.0.0.1:${port}/errata`);
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });

  test('ClickHouse that hangs up', async () => {
    const database = openClickhouse(`http://errata:secret@127.0.0.1:${port}/errata`);
    const store = createEventStore(database);
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.insertEvents([event], 'token')).rejects.toMatchObject(UNAVAILABLE);
    const scope = { organizationId: 1, projectIds: [1] };
    await expect(store.findEvent(scope, event.eventId)).rejects.toMatchObject(UNAVAILABLE);
    const telemetry = createTelemetryStore(database);
    const logs = [makeRow('logs', { organizationId: 1, projectId: 1 })];
    await expect(telemetry.insert({ logs }, 'token')).rejects.toMatchObject(UNAVAILABLE);
    const page = { limit: 5, before: null, range: null };
    await expect(telemetry.list('logs', scope, page)).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });

  test('ClickHouse that is not there', async () => {
    server.close();
    const database = openClickhouse(`http://errata:secret@127.0.0.1:${port}/errata`);
    await expect(createEventStore(database).ping()).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });
});

describeOnPostgres('A connection that is cut', (engine) => {
  test('fails the statement that ran as unavailable, and the next one works', async () => {
    const database = await createMigratedPostgres(engine);
    const sleeping = database.pool.query('SELECT pg_sleep(30)');
    const cut = expect(sleeping).rejects.toMatchObject(UNAVAILABLE);
    await expect
      .poll(async () => {
        const { rows } = await database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND query = 'SELECT pg_sleep(30)' AND state = 'active'`,
        );
        return rows.length;
      })
      .toBe(1);
    await cut;
    await database.ping();
    await database.drop();
  });

  test('a statement that nobody waits for any more does not hold up the next one', async () => {
    const database = await createMigratedPostgres(engine);
    const alone = openPostgres(database.url, { poolMax: 1 });
    const impatient = { text: 'SELECT pg_sleep(20)', query_timeout: 200 };
    await expect(alone.pool.query(impatient)).rejects.toMatchObject(UNAVAILABLE);
    const startedAt = performance.now();
    await alone.ping();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await alone.close();
    await database.drop();
  });

  test('a connection that is held while it breaks, as in a transaction, does not end the process', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    const others = process.rawListeners('uncaughtException') as ((error: Error) => void)[];
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    const database = await createMigratedPostgres(engine);
    const client = await database.pool.connect();
    const impatient = { text: 'SELECT pg_sleep(20)', query_timeout: 200 };
    await expect(client.query(impatient)).rejects.toMatchObject(UNAVAILABLE);
    await delay(300);
    client.release(true);
    await database.ping();
    await database.drop();
    process.off('uncaughtException', note);
    for (const other of others) process.on('uncaughtException', other);
    expect(uncaught).toEqual([]);
  });

  test('a statement that is wrong is a defect, not a store that is away', async () => {
    const database = await createMigratedPostgres(engine);
    const error = await database.pool.query('SELECT nonsense').catch((reason: unknown) => reason);
    expect(error).not.toMatchObject(UNAVAILABLE);
    expect(error).toMatchObject({ code: '42703' });
    await database.drop();
  });
});

describeOnClickhouseServer('A query that is wrong', (engine) => {
  test('is a defect, not a store that is away', async () => {
    const database = openMissingClickhouse(engine);
    const error = await database.query('SELECT 1', {}).catch((reason: unknown) => reason);
    expect(error).not.toMatchObject(UNAVAILABLE);
    expect(error).toMatchObject({ type: 'UNKNOWN_DATABASE' });
    await database.drop();
  });
});
