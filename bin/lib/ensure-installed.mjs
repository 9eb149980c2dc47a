// Runs on whatever Node a machine has (20 or newer) and with nothing installed: only built-in modules here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const NODE_MAJOR_MIN = 24;

/** Installs the locked dependencies when they are missing or the lockfile has changed since. */
export function ensureInstalled(say = console.log) {
  const stamp = join(ROOT, 'node_modules/.errata-installed');
  const wanted = hashFiles(['package-lock.json']);
  if (read(stamp) === wanted) return;
  say('Installing dependencies (once, about a minute) …');
  run(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    'The installation failed',
  );
  writeFileSync(stamp, wanted);
}

/** Builds the pages when their sources have changed since the last build. */
export function ensureBuilt(say = console.log) {
  const stamp = join(ROOT, '.next/errata-built');
  const wanted = hashFiles([
    'package-lock.json',
    'next.config.mjs',
    'postcss.config.mjs',
    'tsconfig.json',
    ...listFiles(join(ROOT, 'src')),
  ]);
  if (read(stamp) === wanted) return;
  say('Building the pages (after each update, less than a minute) …');
  const next = join(ROOT, 'node_modules/next/dist/bin/next');
  run(nodePath(), [next, 'build'], 'The build failed', {
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
  });
  writeFileSync(stamp, wanted);
}

/** The Node that runs Errata: the one among the dependencies, else this one when it is new enough. */
export function nodePath() {
  const bundled = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath;
  throw new Error(
    `Errata runs on Node ${NODE_MAJOR_MIN}; there is no bundled one for ${process.platform}-${process.arch}: install Node ${NODE_MAJOR_MIN} and start again`,
  );
}

function run(command, args, failure, env = {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    // Their progress is not ours: it goes where logs go.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) throw new Error(`${failure} (${command} ${args[0]}): see above`);
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function hashFiles(names) {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const name of names) {
    const path = join(ROOT, name);
    if (existsSync(path)) hash.update(name).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
