import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { CLICKHOUSE_USER, clickhouseConfig, clickhouseUsers } from '#storage/embedded/clickhouse-config.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { guardChild } from '#storage/embedded/guard-child.ts';
import { makeFastFolder } from './fast-folder.ts';
import { until } from './until.ts';

const MEMORY_BYTES_MAX = 700_000_000;
const MARK_CACHE_BYTES = 16 * 1024 * 1024;
const START_MS_MAX = 90_000;
const PASSWORD = 'of-the-shards';
const CLUSTER = 'pair';
/** Other addresses of this machine: a server takes its first one, 127.0.0.1, for itself wherever it stands. */
const HOSTS = ['127.0.0.2', '127.0.0.3'] as const;

/** What a cluster asks of the user, beside what a single server does. */
const GRANTS = [
  'GRANT TABLE ENGINE ON Distributed',
  'GRANT READ, WRITE ON REMOTE',
  'GRANT CREATE TEMPORARY TABLE ON *.*',
  'GRANT SELECT ON system.*',
];

export type ClickhouseShards = {
  /** Of the first server, with the name of the cluster. */
  url: string;
  hosts: readonly string[];
  /** Of one server alone. */
  urlOf(host: string, database: string): string;
  /** SIGKILL. */
  kill(host: string): Promise<void>;
  /** On the same data and port; resolves when it answers. */
  start(host: string): Promise<void>;
  remove(): Promise<void>;
};

/** Two servers of one shard each, as processes of the bundled engine with data of their own. */
export async function startClickhouseShards(): Promise<ClickhouseShards> {
  const library = findLibrary();
  const folder = makeFastFolder('errata-shards-');
  const ports = { http: await findFreePort(), tcp: await findFreePort(), relay: await findFreePort() };
  const children = new Map<string, ChildProcess>();
  const folderOf = (host: string) => path.join(folder, host);
  for (const host of HOSTS) writeServer(folderOf(host), host, ports);
  const relays = await Promise.all(HOSTS.map((host) => relay(host, ports)));
  const urlOf = (host: string, database: string) =>
    `http://${CLICKHOUSE_USER}:${PASSWORD}@${host}:${ports.http}/${database}`;

  const start = async (host: string) => {
    const program = path.join(import.meta.dirname, 'shard-program.ts');
    const child = spawn(process.execPath, ['--no-warnings', program, library, folderOf(host)], {
      // The engine's shutdown signals its whole group.
      detached: true,
      stdio: 'ignore',
      env: { NODE_ENV: 'production', PATH: process.env.PATH, TZ: 'UTC', MALLOC_ARENA_MAX: '1' },
    });
    children.set(host, child);
    if (child.pid) child.once('exit', guardChild(child.pid, { first: 'KILL', last: 'KILL' }));
    await until(`ClickHouse on ${host} to answer`, () => answers(urlOf(host, 'system')), {
      timeoutMs: START_MS_MAX,
      everyMs: 100,
    });
  };
  const kill = async (host: string) => {
    const child = children.get(host);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await Promise.all(HOSTS.map(start));
  return {
    url: `${urlOf(HOSTS[0], 'errata')}?cluster=${CLUSTER}`,
    hosts: HOSTS,
    urlOf,
    kill,
    start,
    async remove() {
      await Promise.all(HOSTS.map(kill));
      for (const each of relays) each.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Ports = { http: number; tcp: number; relay: number };

/**
 * Servers reach each other through this process: the bundled engine, unlike a server, ends when a connection that it was
 * reached by is reset, as one of a killed server is. Here it ends in order.
 */
async function relay(host: string, ports: Ports): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({ host, port: ports.tcp, allowHalfOpen: true });
    from.pipe(to);
    to.pipe(from);
    from.on('error', () => to.end());
    to.on('error', () => from.destroy());
    to.on('close', () => from.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(ports.relay, host, resolve);
  });
  server.unref();
  return server;
}

function writeServer(folder: string, host: string, ports: Ports): void {
  const data = path.join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const usersFile = path.join(folder, 'users.xml');
  const replicas = HOSTS.map(
    (each) =>
      `<replica><host>${each}</host><port>${ports.relay}</port><user>${CLICKHOUSE_USER}</user><password>${PASSWORD}</password></replica>`,
  );
  const clusters = [
    `<${CLUSTER}>${replicas.map((replica) => `<shard>${replica}</shard>`).join('')}</${CLUSTER}>`,
    // As two servers of one shard would be, if these had a Keeper.
    `<copies><shard>${replicas.join('')}</shard></copies>`,
  ];
  const config = clickhouseConfig({
    httpPort: ports.http,
    memoryBytesMax: MEMORY_BYTES_MAX,
    markCacheBytes: MARK_CACHE_BYTES,
    dataFolder: data,
    usersFile,
    password: PASSWORD,
  })
    // Changes of rows are waited for here, and not done beside something that matters more.
    .replace(/(<os_threads_nice_value_merge_mutate>)\d+/, '$10')
    .replace(
      '<listen_host>127.0.0.1</listen_host>',
      `<listen_host>${host}</listen_host><tcp_port>${ports.tcp}</tcp_port><remote_servers>${clusters.join('')}</remote_servers>`,
    );
  const users = clickhouseUsers({
    password: PASSWORD,
    databases: ['errata*', 'test_*'],
    memoryBytesMax: MEMORY_BYTES_MAX,
    queryThreads: 2,
  })
    .replaceAll('<ip>127.0.0.1</ip>', '<ip>127.0.0.0/8</ip>')
    .replace(
      new RegExp(`(<${CLICKHOUSE_USER}>[\\s\\S]*?<grants>)`),
      `$1${GRANTS.map((grant) => `<query>${grant}</query>`).join('')}`,
    );
  writeFileSync(path.join(folder, 'config.xml'), config);
  writeFileSync(usersFile, users);
}

async function answers(url: string): Promise<boolean> {
  const address = new URL(url);
  const authorization = `Basic ${Buffer.from(`${address.username}:${address.password}`).toString('base64')}`;
  try {
    const answer = await fetch(`${address.origin}/?query=SELECT+1`, { headers: { authorization } });
    return answer.ok;
  } catch {
    return false;
  }
}

function findLibrary(): string {
  const libc = process.platform === 'linux' ? '-gnu' : '';
  const require = createRequire(import.meta.url);
  const entry = require.resolve(`@chdb/lib-${process.platform}-${process.arch}${libc}/package.json`);
  const library = path.join(path.dirname(entry), 'libchdb.so');
  if (!existsSync(library)) throw new Error(`There is no ${library}`);
  return library;
}
