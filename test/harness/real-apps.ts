import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { MINUTE_MS } from '#lib/time.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { childEnv, ROOT } from './start-errata.ts';
import { until } from './until.ts';

/** Thrown when a package manager or its registry does not do as it should; the message says why. */
export class NotInstalled extends Error {}

export type InstalledApps = {
  /** Where the programs are. */
  folder: string;
  /** The interpreter that has their packages. */
  python: string;
};

export type RunningApp = { url: string; output(): string } & Disposable;

// Below the root, where bundlers find its packages, and not in node_modules, whose code SDKs take for libraries.
const HOME = path.join(ROOT, 'test-results/real-apps');
const INSTALL_MS_MAX = 5 * MINUTE_MS;
const BUILD_MS_MAX = 4 * MINUTE_MS;

/**
 * Copies a folder of test/journeys/programs/real-apps and installs the exact versions that its package.json and
 * requirements.txt name: they are too many for everybody's `npm install`. What is there from a run before is kept.
 * Throws NotInstalled.
 */
export async function installApps(name: string): Promise<InstalledApps> {
  const folder = path.join(HOME, name);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(ROOT, 'test/journeys/programs/real-apps', name), folder, { recursive: true });
  const python = path.join(folder, 'venv/bin/python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'];
  await install(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'],
    folder,
  );
  await install('python3', ['-m', 'venv', 'venv'], folder);
  await install(python, pip, folder);
  return { folder, python };
}

async function install(program: string, args: readonly string[], cwd: string): Promise<void> {
  await execute(program, args, { cwd, env: childEnv({}), timeout: INSTALL_MS_MAX }).catch((error: Error) => {
    const lines = error.message.trim().split('\n');
    const command = `${path.basename(program)} ${args.slice(0, 3).join(' ')}`;
    throw new NotInstalled(`${command} failed: ${(lines.at(-1) ?? '').slice(0, 300)}`);
  });
}

/** Runs `build` of a bundler that the product has installed, in a folder. Throws with its output. */
export async function buildApp(program: string, folder: string): Promise<void> {
  const env = childEnv({ CI: '1', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' });
  const args = [path.join(ROOT, 'node_modules', program), 'build'];
  await execute(process.execPath, args, { cwd: folder, env, timeout: BUILD_MS_MAX });
}

function execute(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; timeout: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}${stderr}`, { cause: error }));
      else resolve();
    });
  });
}

/** Starts a server that listens on `PORT`, and waits until it accepts connections. Throws with its output. */
export async function startApp(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<RunningApp> {
  const port = await findFreePort();
  const env = childEnv({
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(port),
    ...options.env,
  });
  const child = spawn(command, [...args], { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const app = {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
  try {
    await until('the server to listen', () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
      return accepts(port);
    });
    return app;
  } catch (error) {
    app[Symbol.dispose]();
    throw new Error(`${path.basename(command)} ${args.join(' ')} did not start:\n${output}`, {
      cause: error,
    });
  }
}

/** A request would be a trace of its own. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
