// `npm test`, also on a fresh clone and started by an older Node: installs, builds once, runs everything, and ends
// with one line. `--full` adds the long runs, `--only faults` (or other projects, by commas) leaves the rest out.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureChromium, installWithApt } from './lib/ensure-chromium.mjs';
import { ensureInstalled, nodePath } from './lib/ensure-installed.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const NODE_MAJOR = 24;
const BIN = path.join(ROOT, 'node_modules');

await ensureInstalled();
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
  const again = spawnSync(nodePath(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}

const summaries = [];
const NEEDS_BUILD = new Set(['journeys', 'crashes', 'faults']);
/** Nothing in it waits for a clock: the journeys beside it come first. */
const GIVES_WAY = new Set(['contract', 'types']);
const isFull = process.argv.includes('--full');
const only = process.argv.includes('--only')
  ? (process.argv.at(process.argv.indexOf('--only') + 1) ?? '').split(',')
  : null;
const needsBuild = only?.some((project) => NEEDS_BUILD.has(project)) ?? true;
const chromium = await ensureChromium(process.execPath);
ensurePythonSdk();

/** Whether there is a build; what needs one waits for it. */
const built = Promise.withResolvers();
/** Measures how fast others are answered meanwhile, and runs alone. */
const MEASURED = 'test/faults/full/abuse.test.ts';
const OTHER_FAULTS = readdirSync(path.join(ROOT, 'test/faults'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/faults/${name.replaceAll(path.sep, '/')}`)
  .filter((name) => name.endsWith('.test.ts') && name !== MEASURED);
const rows = [
  [{ check: 'build' }, { project: 'journeys' }],
  [{ check: 'lint' }, { check: 'audit' }, { project: 'unit' }, { project: 'contract' }],
  [{ project: 'crashes' }, { project: 'faults', args: OTHER_FAULTS }, { check: 'types' }],
];
/**
 * One after another; the rows of a phase run side by side, as each waits for something a third of its time. Not those of
 * the full run: its tests load two cores by themselves, and beside each other they would run into their time limits.
 */
const phases = isFull ? [...rows.map((row) => [row]), [[{ project: 'faults', args: [MEASURED] }]]] : [rows];
const checks = {
  // In a process of its own, so that what runs beside it goes on.
  build: async () => {
    const answer = await run('build', [path.join(ROOT, 'bin/build.mjs')]).catch((error) => {
      console.error(error);
      return { ok: false };
    });
    built.resolve(answer.ok);
    return answer;
  },
  lint: () => run('lint', ['@biomejs/biome/bin/biome', 'check', '.']),
  // The build writes types of its own. A second checker would look at what they share once more: half as much work again.
  types: async () => {
    await built.promise;
    return run('types', ['typescript/bin/tsc', '--noEmit', '-p', '.', '--checkers', '1']);
  },
  audit,
};
for (const phase of phases) {
  const asked = phase.map((row) => row.filter(isAsked)).filter((row) => row.length > 0);
  await Promise.all(
    asked.map(async (row, index) => {
      for (const step of row) {
        if (step.check) await check(step.check, checks[step.check]);
        else await runTests(step, index === 0);
      }
    }),
  );
}
report();

/** Checks of the whole are part of the whole run only; what needs the build comes with it. */
function isAsked({ project, check }) {
  return only === null || only.includes(project) || (check === 'build' && needsBuild);
}

/** One check of its own counts as one test. */
async function check(name, step) {
  const summary = { passed: 0, failed: [], skipped: [] };
  let result;
  try {
    result = await step();
  } catch (error) {
    console.error(error);
    result = { ok: false };
  }
  if (result.skipped) summary.skipped.push({ name, reason: result.skipped });
  else if (result.ok) summary.passed = 1;
  else summary.failed.push(name);
  summaries.push(summary);
  return result.ok;
}

/** Runs a tool of the dependencies; what it says comes at its end, in one piece. */
async function run(name, [script, ...args]) {
  const { status, output } = await capture(...givingWay(name), path.resolve(BIN, script), ...args);
  console.log(`\n--- ${name}\n${output}`);
  return { ok: status === 0 };
}

/** Known holes of high severity in what runs in production; registries without this service cannot tell. */
async function audit() {
  const { status, output } = await capture('npm', 'audit', '--omit=dev', '--audit-level=high', '--json');
  const answer = parseJson(output);
  if (!answer?.metadata)
    return { ok: true, skipped: `the registry gave no answer: ${answer?.message ?? output}` };
  if (status !== 0) console.log(`\n--- audit\n${output}`);
  return { ok: status === 0 };
}

async function capture(command, ...args) {
  const { env, cwd } = spawnOptions();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  return { status, output: Buffer.concat(parts).toString('utf8') };
}

/** Of runs side by side only the first is followed; what is said in the others is told when they end. */
async function runTests({ project, args: chosen = [] }, isFirst) {
  if (NEEDS_BUILD.has(project) && !(await built.promise)) {
    summaries.push({ passed: 0, failed: [`${project}: the build failed`], skipped: [] });
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-summary-'));
  const file = path.join(folder, 'summary.json');
  const output = path.join(folder, 'output.txt');
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=./test/harness/summary-reporter.ts',
    ...chosen,
  ];
  const title = `\n--- ${project}${chosen.includes(MEASURED) ? ', alone' : ''}`;
  console.log(isFirst ? title : `${title}: told when it ends`);
  const options = spawnOptions({ ERRATA_TEST_SUMMARY: file, ...(isFull && { ERRATA_TEST_FULL: '1' }) });
  const written = isFirst ? 'inherit' : openSync(output, 'w');
  const [program, ...rest] = [...givingWay(project), path.join(BIN, 'vitest/vitest.mjs'), ...args];
  const vitest = spawn(program, rest, { ...options, stdio: ['ignore', written, written] });
  const [status] = await once(vitest, 'exit');
  if (!isFirst) {
    closeSync(written);
    console.log(`${title}\n${readFileSync(output, 'utf8')}`);
  }
  const summary = readSummary(file);
  rmSync(folder, { recursive: true, force: true });
  if (!summary) summaries.push({ passed: 0, failed: [`${project}: the run broke off`], skipped: [] });
  else if (status !== 0 && summary.failed.length === 0) {
    summaries.push({ ...summary, failed: [`${project}: ended with ${status}`] });
  } else summaries.push(summary);
}

/** Node, behind the others where what it runs can wait. */
function givingWay(name) {
  return [...(GIVES_WAY.has(name) ? ['nice', '-n', '5'] : []), process.execPath];
}

/** Debian's own SDK for Python, a client that shares no code with the JavaScript ones. */
function ensurePythonSdk() {
  const has = (python) => spawnSync(python, ['-c', 'import sentry_sdk'], { stdio: 'ignore' }).status === 0;
  if (process.getuid?.() !== 0 || has('python3') || has('/usr/bin/python3')) return;
  installWithApt('python3-sentry-sdk');
}

function spawnOptions(env = {}) {
  const withChromium = chromium ? { CHROME_PATH: chromium } : {};
  return { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...withChromium, ...env } };
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function report() {
  const passed = summaries.reduce((sum, one) => sum + one.passed, 0);
  const failed = summaries.flatMap((one) => one.failed);
  const skipped = summaries.flatMap((one) => one.skipped);
  console.log('');
  for (const [reason, names] of Map.groupBy(skipped, (one) => one.reason)) {
    console.log(`skipped: ${names.length === 1 ? names[0].name : `${names.length} tests`}: ${reason}`);
  }
  for (const name of failed) console.log(`failed: ${name}`);
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
