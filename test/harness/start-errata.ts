import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { isAlive, listProcessTree } from './processes.ts';
import { until } from './until.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export const ADMIN = { email: 'owner@example.com', password: 'correct horse battery staple' } as const;

/** Filled by the build, as for the product's own start: a process that compiles all sources anew takes twice as long. */
const COMPILE_CACHE = path.join(ROOT, '.next/compile-cache');

type Built = { isBuilt(): boolean };
const { isBuilt } = (await import(
  pathToFileURL(path.join(ROOT, 'bin/lib/ensure-installed.mjs')).href
)) as Built;
const BUILT_PROGRAM = '.next/errata-server/main.mjs';
/** What a start runs. With sources that were changed since the build, these. */
const PROGRAM = isBuilt() ? BUILT_PROGRAM : 'src/main.ts';

const JOIN_GROUP = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

const ALL_SCOPES = 'org:read,project:read,project:write,project:admin,event:read,event:write,event:admin';
/** Below the time that a hook has, so that what was printed is told. */
const START_TIMEOUT_MS = 150_000;
const STOP_TIMEOUT_MS = 20_000;

export type CliResult = { code: number | null; stdout: string; stderr: string };

export type Role = 'edge' | 'digest' | 'web' | 'jobs' | 'postgres' | 'clickhouse';

/** What can be asked of a running server from another process. */
export type ErrataHandle = {
  /** Without a trailing slash. */
  readonly url: string;
  /** Of the project `default`; null when the server was started without an administrator. */
  readonly dsn: string | null;
  readonly dataDir: string;
  /** Of the supervising process. */
  readonly pid: number;
  /** Process ids by role, as the server itself tells them. */
  pids(): Promise<Record<Role, number>>;
  /** The command line beside the running server. */
  cli(args: readonly string[]): Promise<CliResult>;
  /** An API token of the organization `main`; the same one each time when no scopes are named. */
  token(scopes?: string): Promise<string>;
  /** Creates a project and gives its DSN. */
  project(slug: string, platform?: string): Promise<string>;
};

export type ErrataServer = ErrataHandle & {
  /** The one-time address of the first run; null when an administrator was given. */
  readonly setupUrl: string | null;
  /** From the start of the process to the line that says ready. */
  readonly readyAfterMs: number;
  /** Everything that was printed, both streams. */
  output(): string;
  /** SIGTERM, and waits for the end; answers how long it took. */
  stop(): Promise<number>;
  /** SIGKILL to the supervising process only. */
  killSupervisor(): Promise<void>;
  /** Stops and starts on the same data and port. */
  restart(): Promise<ErrataServer>;
  /** Stops what still runs and deletes the data. */
  [Symbol.asyncDispose](): Promise<void>;
};

export type StartOptions = {
  env?: Readonly<Record<string, string>>;
  /** A folder with data of an earlier start; a new one in the temporary folder otherwise. */
  dataDir?: string;
  port?: number;
  /** False: no administrator in the environment, the server prints the address of the set-up. */
  admin?: boolean;
  /** As after `--roles`; absent for all. */
  roles?: string;
  /** Folder of a control group that the server and all it starts belong to. */
  memoryGroup?: string;
  /** Folder of another version, built; this one when absent. */
  root?: string;
};

/** Starts a real server with its embedded stores and waits until it says that it is ready. Throws with its output. */
export async function startErrata(options: StartOptions = {}): Promise<ErrataServer> {
  const port = options.port ?? (await findFreePort());
  const dataDir = options.dataDir ?? makeDataDir();
  const launched = launchErrata({ ...options, port, dataDir });
  const startedAt = performance.now();
  try {
    await until('the line "Errata is ready: …"', () => launched.readyUrl() ?? launched.assertRunning(), {
      timeoutMs: START_TIMEOUT_MS,
    });
  } catch (error) {
    await launched.end('SIGKILL');
    throw new Error(`The server did not get ready:\n${launched.output()}`, { cause: error });
  }
  return describeServer(launched, { ...options, port, dataDir }, performance.now() - startedAt);
}

/** Runs `errata serve` to its end, for starts that are meant to be refused. */
export async function runServeToEnd(options: StartOptions & { timeoutMs?: number }): Promise<CliResult> {
  const port = options.port ?? (await findFreePort());
  const dataDir = options.dataDir ?? makeDataDir();
  const launched = launchErrata({ ...options, port, dataDir });
  try {
    await until('the end of a start that must be refused', () => launched.hasEnded(), {
      timeoutMs: options.timeoutMs ?? 30_000,
    });
  } finally {
    await launched.end('SIGTERM');
    if (!options.dataDir) rmSync(path.dirname(dataDir), { recursive: true, force: true });
  }
  return { code: launched.child.exitCode, stdout: launched.stdout(), stderr: launched.stderr() };
}

/** A folder for a server's data that the unprivileged user of the embedded PostgreSQL can reach. */
export function makeDataDir(): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'errata-test-'));
  chmodSync(parent, 0o755);
  return path.join(parent, 'data');
}

/** The environment of a child: ours without settings that were meant for the tests, and with those given. */
export function childEnv(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(ERRATA_|VITEST|SENTRY_|DATABASE_URL$|CLICKHOUSE_(URL|CLUSTER)$|PORT$|NODE_OPTIONS$|NODE_ENV$)/.test(
        name,
      ),
  );
  return { ...Object.fromEntries(inherited), ...env } as NodeJS.ProcessEnv;
}

type Launched = {
  child: ChildProcess;
  readyUrl(): string | null;
  assertRunning(): null;
  hasEnded(): boolean;
  stdout(): string;
  stderr(): string;
  output(): string;
  end(signal: NodeJS.Signals): Promise<void>;
};

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function launchErrata(options: StartOptions & { port: number; dataDir: string }): Launched {
  const roles = options.roles === undefined ? [] : ['--roles', options.roles];
  const root = options.root ?? ROOT;
  const program = options.root === undefined ? PROGRAM : BUILT_PROGRAM;
  const serve = [process.execPath, '--expose-gc', program, 'serve', ...roles] as const;
  const [command, ...args] = options.memoryGroup
    ? (['/bin/sh', '-c', JOIN_GROUP, options.memoryGroup, ...serve] as const)
    : serve;
  const child = spawn(command, args, {
    cwd: root,
    env: childEnv(serverEnv(options, root)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    hasEnded,
    stdout: () => stdout,
    stderr: () => stderr,
    output: () => `${stdout}${stderr}`,
    // The announcement is one write: the DSN or the address of the set-up is there with its first lines.
    readyUrl: () => /^Errata is ready: (\S+)\nStarted in .*\n/m.exec(stdout)?.[1] ?? null,
    assertRunning: () => {
      if (hasEnded()) throw new Error(`The server ended with ${child.exitCode ?? child.signalCode}`);
      return null;
    },
    end: async (signal) => {
      if (hasEnded()) return;
      child.kill(signal);
      await until('the end of the server', hasEnded, { timeoutMs: STOP_TIMEOUT_MS }).catch(async () => {
        child.kill('SIGKILL');
        await until('the end of the killed server', hasEnded);
      });
    },
  };
}

function serverEnv(
  options: StartOptions & { port: number; dataDir: string },
  root: string,
): Record<string, string> {
  const admin: Record<string, string> =
    options.admin === false ? {} : { ERRATA_ADMIN_EMAIL: ADMIN.email, ERRATA_ADMIN_PASSWORD: ADMIN.password };
  return {
    NODE_ENV: 'production',
    // As `npm start` has it.
    NODE_COMPILE_CACHE: path.join(root, '.next/compile-cache'),
    PORT: String(options.port),
    ERRATA_DATA_DIR: options.dataDir,
    ...admin,
    ...threadsOfTest(),
    ...options.env,
  };
}

/** Any test may be run with as many threads of digest. */
function threadsOfTest(): Record<string, string> {
  const threads = process.env.ERRATA_TEST_DIGEST_THREADS;
  return threads ? { ERRATA_DIGEST_THREADS: threads } : {};
}

function describeServer(
  launched: Launched,
  options: StartOptions & { port: number; dataDir: string },
  readyAfterMs: number,
): ErrataServer {
  const pid = launched.child.pid ?? 0;
  const stdout = launched.stdout();
  return {
    ...attachErrata({
      url: (launched.readyUrl() ?? '').replace(/\/$/, ''),
      dsn: /^DSN: (\S+)/m.exec(stdout)?.[1] ?? null,
      dataDir: options.dataDir,
      pid,
    }),
    setupUrl: /(https?:\/\/\S+\/setup\?token=\S+)/.exec(stdout)?.[1] ?? null,
    readyAfterMs,
    output: launched.output,
    stop: async () => {
      const startedAt = performance.now();
      await launched.end('SIGTERM');
      return performance.now() - startedAt;
    },
    killSupervisor: () => launched.end('SIGKILL'),
    restart: async () => {
      await launched.end('SIGTERM');
      return startErrata(options);
    },
    [Symbol.asyncDispose]: async () => {
      const tree = listProcessTree([pid]);
      await launched.end('SIGTERM');
      for (const left of tree.filter(isAlive)) process.kill(left, 'SIGKILL');
      rmSync(path.dirname(options.dataDir), { recursive: true, force: true });
    },
  };
}

/** The handle of a server that another process started. */
export function attachErrata(
  info: Pick<ErrataHandle, 'url' | 'dsn' | 'dataDir' | 'pid'> & { commonToken?: string },
): ErrataHandle {
  const cli = (args: readonly string[]) => runCli(args, { ERRATA_DATA_DIR: info.dataDir });
  return {
    ...info,
    cli,
    pids: async () => readRuntime(info.dataDir),
    token: async (scopes = ALL_SCOPES) =>
      scopes === ALL_SCOPES && info.commonToken !== undefined
        ? info.commonToken
        : expectOutput(await cli(['token', 'create', '--scopes', scopes]), 'token create'),
    project: async (slug, platform = 'node') =>
      expectOutput(await cli(['project', 'create', slug, '--platform', platform]), `project create ${slug}`),
  };
}

function readRuntime(dataDir: string): Record<Role, number> {
  const runtime = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    processes: Record<Role, number>;
  };
  return runtime.processes;
}

/** Runs one command of the CLI to its end, or kills it; its code is null then. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { killAfterMs = 0, root }: { killAfterMs?: number; root?: string } = {},
): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [root === undefined ? PROGRAM : BUILT_PROGRAM, ...args],
      {
        cwd: root ?? ROOT,
        env: childEnv({ NODE_COMPILE_CACHE: COMPILE_CACHE, ...env }),
        encoding: 'utf8',
        timeout: killAfterMs,
        killSignal: 'SIGKILL',
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function expectOutput(result: CliResult, what: string): string {
  if (result.code !== 0) {
    throw new Error(`errata ${what} ended with ${result.code}: ${result.stderr || result.stdout}`);
  }
  return result.stdout.trim();
}
