import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/log.ts';
import { readOrMakeSecret, writePrivateFile } from '#lib/secret-file.ts';
import {
  CLICKHOUSE_USER,
  clickhouseAuthorization,
  clickhouseConfig,
  clickhouseUsers,
} from './clickhouse-config.ts';
import { ASK_TIMEOUT_MS, type EmbeddedEngine, START_TIMEOUT_MS, UNCONFINED } from './engine.ts';
import { chooseEngineUser, engineOwner, giveFolder, letEngineRead, makeEngineFolder } from './engine-user.ts';
import { findFreePort } from './free-port.ts';
import { guardChild } from './guard-child.ts';
import { watchChild } from './watch-child.ts';

// Freed memory goes back at once, and not only when the same thread allocates again: 85 MB less under load.
const ALLOCATOR = 'background_thread:true,dirty_decay_ms:500,prof:false,prof_active:false';

const DATABASE = 'errata';
const MARK_CACHE_BYTES = 16 * 1024 * 1024;

const UNCONFINED_WARNING =
  'The embedded ClickHouse is not sandboxed: anyone with its password can read all files its user can read. Linux 5.19 or newer sandboxes it; see docs/security.md';

/** Why the engine cannot run here, with the way out; null when it can. */
export function explainMissingClickhouse(): string | null {
  if (findLibrary()) return null;
  const platform = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
  return `The embedded ClickHouse is not available for ${platform} (it needs glibc Linux or macOS, and a package that the lockfile can verify: see docs/install.md): set CLICKHOUSE_URL to a ClickHouse server, for example http://user:password@host:8123/errata`;
}

/**
 * Starts the bundled ClickHouse as a server on loopback, its data in `<dataDir>/clickhouse`, as a user of its own where
 * we are root, and confined to its folder where the kernel can.
 * Throws with the way out where the engine has no build.
 */
export async function startEmbeddedClickhouse(options: {
  dataDir: string;
  /** Upper bound of what the engine allocates, in bytes. */
  memoryBytesMax: number;
  markCacheBytes?: number;
  /** Threads of one query. */
  queryThreads?: number;
  log: Log;
  /** Port to use again after a restart; a free one by default. */
  port?: number;
  /** Names of the databases that may be used; `*` at the end stands for any rest. */
  databases?: readonly string[];
}): Promise<EmbeddedEngine & { port: number; isConfined(): boolean }> {
  const { dataDir, log, memoryBytesMax, databases = [DATABASE] } = options;
  const { markCacheBytes = MARK_CACHE_BYTES, queryThreads = 2 } = options;
  const library = findLibrary();
  if (!library) throw new Error(explainMissingClickhouse() ?? 'The embedded ClickHouse is missing');
  const folder = join(dataDir, 'clickhouse');
  const data = join(folder, 'data');
  const owner = engineOwner();
  makeEngineFolder(folder, owner);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const password = readOrMakeSecret(join(dataDir, 'clickhouse-password'));
  const port = options.port ?? (await findFreePort());
  const usersFile = join(folder, 'users.xml');
  const configFile = join(folder, 'config.xml');
  writePrivateFile(usersFile, clickhouseUsers({ password, databases, memoryBytesMax, queryThreads }));
  writePrivateFile(
    configFile,
    clickhouseConfig({
      httpPort: port,
      memoryBytesMax,
      markCacheBytes,
      dataFolder: data,
      usersFile,
      password,
    }),
  );
  stopLeftover(data, log);
  rmSync(join(data, 'status'), { force: true });
  if (owner) {
    giveFolder(data, owner);
    for (const written of [usersFile, configFile]) letEngineRead(written, owner);
  }
  const user = chooseEngineUser([process.execPath, library, data]);

  const command = user.command(process.execPath, [
    '--no-warnings',
    // Its own code only starts the engine.
    '--expose-gc',
    '--max-semi-space-size=1',
    childProgram(),
    library,
    folder,
    String(port),
    // Changed by the child itself once it has loaded what only we may read.
    ...(user.ids ? [String(user.ids.uid), String(user.ids.gid)] : []),
  ]);
  const child = spawn(command.program, command.args, {
    // Its own process group: the engine's shutdown signals the whole group, and Ctrl-C must reach us alone.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      TZ: 'UTC',
      JE_MALLOC_CONF: ALLOCATOR,
      MALLOC_ARENA_MAX: '1',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
  });
  let isConfined = true;
  const watched = watchChild(child, 'ClickHouse', log, (line) => {
    if (!line.startsWith(UNCONFINED)) return;
    isConfined = false;
    log.warn({ reason: line.slice(UNCONFINED.length).trim() }, UNCONFINED_WARNING);
  });
  const removeGuard = child.pid ? guardChild(child.pid, { first: 'TERM', last: 'KILL' }) : () => {};
  void watched.exited.then(removeGuard);

  const ask = () => askOne(port, password);
  try {
    await waitUntilReady(ask, watched.hasEnded);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The embedded ClickHouse did not start: ${watched.lastLines() || String(error)}`, {
      cause: error,
    });
  }
  return {
    url: `http://${CLICKHOUSE_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`,
    port,
    pid: child.pid ?? 0,
    exited: watched.exited,
    isConfined: () => isConfined,
    ask,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      // The engine keeps nothing in memory that is not on disk: every insert is synced before it is answered.
      if (!watched.hasEnded()) child.kill('SIGKILL');
      await watched.exited;
    },
  };
}

/** The build has it beside the program of the server; without a build it runs from its source. */
function childProgram(): string {
  const built = join(dirname(process.argv[1] ?? ''), 'clickhouse-child.mjs');
  return existsSync(built) ? built : join(import.meta.dirname, 'clickhouse-child.ts');
}

function findLibrary(): string | null {
  if (isMusl()) return null;
  const libc = process.platform === 'linux' ? '-gnu' : '';
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@chdb/lib-${process.platform}-${process.arch}${libc}/package.json`);
    const library = join(dirname(entry), 'libchdb.so');
    return existsSync(library) ? library : null;
  } catch {
    return null;
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return !report?.header?.glibcVersionRuntime;
}

/** The engine writes its pid into a status file; a killed parent may have left it running for a moment. */
function stopLeftover(data: string, log: Log): void {
  try {
    const pid = Number(/PID: (\d+)/.exec(readFileSync(join(data, 'status'), 'utf8'))?.[1]);
    if (!pid || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data)) return;
    log.warn({ pid }, 'Stopping a ClickHouse that outlived its parent');
    process.kill(pid, 'SIGKILL');
  } catch {
    // No status file, or the process is gone.
  }
}

async function waitUntilReady(ask: () => Promise<void>, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (hasEnded() || performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** Over a connection of its own: one that is open goes on being served when the engine has stopped listening. */
async function askOne(port: number, password: string): Promise<void> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/?query=SELECT+1',
    headers: { authorization: clickhouseAuthorization(password) },
    agent: false,
  });
  request.setTimeout(ASK_TIMEOUT_MS, () => request.destroy(new Error('ClickHouse is not responding')));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
}
