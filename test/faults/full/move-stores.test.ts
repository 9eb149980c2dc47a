import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { startPostgresServer } from '../../harness/postgres-servers.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, makeDataDir, runCli, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';

const SLUG = 'moved';
/** Few: what counts is when they come. */
const SEND_EVERY_MS = 1_000;
const COUNTED_MS_MAX = 300_000;
/** What belongs to the embedded stores, of all that is in a data directory. */
const EMBEDDED = [
  'postgres',
  'clickhouse',
  'postgres-password',
  'postgres-admin-password',
  'clickhouse-password',
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const makeFolder = (): string => {
  const folder = makeDataDir();
  closers.push(() => rmSync(path.dirname(folder), { recursive: true, force: true }));
  return folder;
};

/** As docs/scale.md has it, under load. */
test('an installation with data moves to stores of others and back, and loses nothing that was accepted', {
  timeout: 900_000,
}, async () => {
  const dataDir = makeFolder();
  const port = await findFreePort();
  const start = async (options: { env?: Record<string, string>; roles?: string } = {}) => {
    const server = await startErrata({ ...options, dataDir, port });
    closers.push(() => server.stop());
    return server;
  };
  let server: ErrataServer = await start();
  const dsn = parseDsn(await server.project(SLUG));
  const token = await server.token();
  const api = createApiClient(server.url, token);
  const load = sendSteadily(dsn);
  await delay(3_000);

  const postgres = await startPostgresServer();
  const clickhouse = await startEmbeddedClickhouse({
    dataDir: makeFolder(),
    memoryBytesMax: 512 * 1024 * 1024,
    log: createLog('test', 'error'),
  });
  closers.push(postgres.remove, clickhouse.stop);
  const outside = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url };

  const backUpWithEdgeAlone = async (env: Record<string, string>, folder: string) => {
    await server.stop();
    server = await start({ env, roles: 'edge' });
    await delay(1_000);
    await run(['backup', 'create', '--folder', folder], { ERRATA_DATA_DIR: dataDir, ...env });
    await delay(1_000);
  };

  // There.
  const [there, back] = [makeFolder(), makeFolder()];
  await backUpWithEdgeAlone({}, there);
  const scratch = makeFolder();
  await run(['backup', 'restore', '--folder', there], { ERRATA_DATA_DIR: scratch, ...outside });
  await server.stop();
  for (const name of EMBEDDED) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  server = await start({ env: outside });
  await delay(3_000);
  expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
  await expectExactlyOnce(api, SLUG, [...(await load.pause())], COUNTED_MS_MAX);
  load.resume();

  // And back.
  await backUpWithEdgeAlone(outside, back);
  const restored = makeFolder();
  await run(['backup', 'restore', '--folder', back], { ERRATA_DATA_DIR: restored });
  await server.stop();
  for (const name of EMBEDDED) move(path.join(restored, name), path.join(dataDir, name));
  server = await start();
  await delay(1_000);
  const ids = await load.pause();
  expect(ids.length).toBeGreaterThan(20);
  await expectExactlyOnce(api, SLUG, ids, COUNTED_MS_MAX);
});

async function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await runCli(args, env);
  expect([code, code === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, '']);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true });
  }
}

/** Sends events, each until it is answered 200, but while it is paused. */
function sendSteadily(dsn: Dsn) {
  const ids: string[] = [];
  let isPaused = false;
  let sending = run();
  async function run(): Promise<void> {
    for (let index = 0; !isPaused; index++) {
      const event = makeJavascriptError({ issue: index % 7, bytes: 2_000 });
      const answer = await postEnvelope(dsn, eventEnvelope(event)).catch(() => null);
      if (answer?.status === 200) ids.push(event.event_id);
      await delay(SEND_EVERY_MS);
    }
  }
  closers.push(() => {
    isPaused = true;
  });
  return {
    /** What was answered 200 so far. */
    async pause(): Promise<readonly string[]> {
      isPaused = true;
      await sending;
      return ids;
    },
    resume(): void {
      isPaused = false;
      sending = run();
    },
  };
}
