// Runs on whatever Node a machine has (20 or newer) and with nothing installed: only built-in modules here.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { runTool } from './run-tool.mjs';
import { removeBuildPackages } from './runtime-packages.mjs';
import { listUnverified } from './unverified-packages.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const NODE_MAJOR_MIN = 24;

const INSTALLED_STAMP = join(ROOT, 'node_modules/.errata-installed');
/** What is installed, from least to most: what a built Errata loads, what builds it as well, what tests it as well. */
const PARTS = ['run', 'build', 'all'];

/**
 * Installs the locked dependencies, as far as `parts` needs them, when they are missing or the lockfile has changed
 * since. What is there beyond that stays.
 */
export function ensureInstalled(say = console.log, parts = 'all') {
  const wanted = hashFiles(['package-lock.json']);
  const hasParts = () => PARTS.indexOf(installedParts(wanted)) >= PARTS.indexOf(parts);
  if (hasParts()) return;
  // Two installations at once would empty the folder under each other.
  alone('.errata-installing', () => {
    if (hasParts()) return;
    // Only a part is missing: what is there is kept.
    const adds = installedParts(wanted) !== null;
    say(adds ? 'Installing what is missing …' : 'Installing dependencies (once, about a minute) …');
    const what = parts === 'all' ? '--include=dev' : '--omit=dev';
    run(
      'npm',
      [
        ...(adds ? ['install', '--no-save'] : ['ci']),
        what,
        '--include=optional',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      'The installation failed',
    );
    sayUnverified(say);
    writeStamp(wanted, parts === 'all' ? 'all' : 'build');
  });
}

/** For what runs a built Errata: what the build needs is installed while there is no build. */
export const ensureInstalledToRun = (say) => ensureInstalled(say, isBuilt() ? 'run' : 'build');

/** After the build, what only builds is removed; where everything was asked for, by tests or development, it stays. */
export function keepWhatRuns() {
  const wanted = hashFiles(['package-lock.json']);
  if (installedParts(wanted) !== 'build' || !isBuilt()) return;
  alone('.errata-installing', () => {
    // Broken off, it is installed anew.
    rmSync(INSTALLED_STAMP);
    removeBuildPackages(ROOT);
    writeStamp(wanted, 'run');
  });
}

/** null: nothing, or of another lockfile. */
function installedParts(wanted) {
  const [hash, parts = 'all'] = read(INSTALLED_STAMP)?.split(' ') ?? [];
  return hash === wanted ? parts : null;
}

const writeStamp = (hash, parts) =>
  writeFileSync(INSTALLED_STAMP, parts === 'all' ? hash : `${hash} ${parts}`);

/** Some are not needed to run; whoever misses one is told here why it is not there. */
function sayUnverified(say) {
  const names = listUnverified(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  if (names.length === 0) return;
  say(
    `Not installed, as the lockfile has no integrity hash to verify them with: ${names.join(', ')}. ` +
      'To trust the hashes of your registry: npm run lock, then start again. See docs/install.md.',
  );
}

const LOCK_WAIT_MS_MAX = 10 * 60_000;
const LOCK_LOOK_MS = 250;

/** Runs the work while no other process does; waits for one that does, and takes over from one that has died. */
function alone(name, work) {
  const file = join(ROOT, name);
  const waitsUntil = Date.now() + LOCK_WAIT_MS_MAX;
  while (!tryLock(file)) {
    if (Date.now() > waitsUntil)
      throw new Error(`Another program holds ${file}: delete the file if none runs`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_LOOK_MS);
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owner = Number(read(file));
  if (owner > 0 && !isRunning(owner)) rmSync(file, { force: true });
  return false;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

const BUILT_STAMP = join(ROOT, '.next/errata-built');

const hashSources = () =>
  hashFiles([
    'package-lock.json',
    'next.config.mjs',
    'postcss.config.mjs',
    'tsconfig.json',
    'bin/lib/bundle-server.mjs',
    ...listFiles(join(ROOT, 'src')),
  ]);

/** Whether the last build was made of these very sources. */
export const isBuilt = () => read(BUILT_STAMP) === hashSources();

/** Builds the pages and the server's own code when their sources have changed since the last build. */
export function ensureBuilt(say = console.log) {
  const stamp = BUILT_STAMP;
  const wanted = hashSources();
  if (read(stamp) === wanted) return;
  alone('.errata-building', () => {
    if (read(stamp) === wanted) return;
    say('Building (after each update, less than a minute) …');
    const next = join(ROOT, 'node_modules/next/dist/bin/next');
    run(nodePath(), [next, 'build'], 'The build failed', {
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
      ...sameNames(wanted),
    });
    run(nodePath(), [join(ROOT, 'bin/lib/bundle-server.mjs')], 'The build failed');
    // Of code that is there no more.
    rmSync(COMPILE_CACHE, { recursive: true, force: true });
    const warmUp = join(ROOT, 'bin/lib/warm-compile-cache.mjs');
    run(nodePath(), ['--disable-warning=ExperimentalWarning', warmUp], 'The build failed', {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NODE_ENV: 'production',
    });
    writeFileSync(stamp, wanted);
  });
}

/**
 * Machines that build the same sources by themselves have pages of the same names, and a page of one may call actions of the
 * other: names of actions are hashed with the key.
 */
const sameNames = (sources) => ({
  BUILD_NAME: sources.slice(0, 20),
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: createHash('sha256').update(`actions ${sources}`).digest('base64'),
});

/** The Node that runs Errata: the one among the dependencies, else this one when it is new enough. */
export function nodePath() {
  const bundled = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath;
  throw new Error(
    `Errata runs on Node ${NODE_MAJOR_MIN}; there is no bundled one for ${process.platform}-${process.arch}: install Node ${NODE_MAJOR_MIN} and start again`,
  );
}

const run = (command, args, failure, env = {}) => runTool(command, args, { failure, env, cwd: ROOT });

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
