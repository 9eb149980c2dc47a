import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SnippetStep } from '#app/[org]/projects/sdk-snippets/snippet.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { launchChromium } from '../harness/browser.ts';
import { childEnv } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import type { SnippetApp } from './snippet-apps.ts';
import { Unavailable } from './unavailable.ts';

/** To install, and to compile. */
const COMMAND_MS = 10 * MINUTE_MS;
/** SDKs send what they hold within this time. */
const SENDS_WITHIN_MS = 4_000;
const OUTPUT_CHARACTERS_MAX = 600;

export const hasProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;

/** Does what the steps say, as a reader would, and opens what fails. Throws Unavailable when something cannot be installed. */
export async function takeSteps(
  folder: string,
  steps: readonly SnippetStep[],
  app: SnippetApp,
): Promise<void> {
  const verify = steps.at(-1);
  if (!verify) throw new Error('A guide without steps');
  const named = /http:\/\/localhost:(\d+)\S*?(?=\.?(?:\s|$))/.exec(verify.hint ?? '');
  const port = String(await findFreePort());
  const onPort = (text: string): string => {
    const free = text.replaceAll('FREE_PORT', port);
    return named ? free.replaceAll(new RegExp(`(?<![\\d])${named[1]}(?!\\d)`, 'g'), port) : free;
  };
  const write = (file: string, text: string) => {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, onPort(text));
  };

  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(app.files?.(verify.text) ?? {})) write(file, text);
  for (const command of app.prepare ?? []) await install(folder, command);
  for (const step of steps) {
    if (step.file) write(step.file, step.text);
    else if (step.into) add(folder, app.places?.[step.into] ?? step.into, onPort(step.text));
    else if (step !== verify) {
      await install(folder, step.text).catch((error: unknown) => {
        if (app.elseInstall === undefined) throw error;
        return install(folder, app.elseInstall);
      });
    }
  }

  const command = onPort(app.start ?? verify.text);
  const url = app.open ?? named?.[0];
  if (url) await startAndOpen(folder, command, onPort(url));
  else await start(folder, command).ended;
}

/** At the mark of the app, else at the end of the file. */
function add(folder: string, file: string, text: string): void {
  const target = path.join(folder, file);
  const before = existsSync(target) ? readFileSync(target, 'utf8') : '';
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, before.includes('HERE') ? before.replace('HERE', text) : `${before}\n${text}\n`);
}

async function install(folder: string, command: string): Promise<void> {
  const { code, output } = await start(folder, command).ended;
  if (code === 0) return;
  throw new Unavailable(
    `${command}: ${output().trim().split('\n').slice(-3).join(' ')}`.slice(0, OUTPUT_CHARACTERS_MAX),
  );
}

async function startAndOpen(folder: string, command: string, url: string): Promise<void> {
  const { child, ended, output } = start(folder, command);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  try {
    await until(
      'the app to answer',
      () =>
        hasEnded ||
        fetch(url).then(
          () => true,
          // Some servers end the connection when a route panics.
          (error: { cause?: { code?: string } }) => error.cause?.code !== 'ECONNREFUSED',
        ),
      { timeoutMs: COMMAND_MS, everyMs: 500 },
    );
    if (hasEnded) throw new Error(output().slice(-OUTPUT_CHARACTERS_MAX));
    await clickButton(url);
    await new Promise((resolve) => setTimeout(resolve, SENDS_WITHIN_MS));
  } finally {
    if (child.pid && !hasEnded) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

/** Pages have a button that fails; of other routes the answer is the failure. */
async function clickButton(url: string): Promise<void> {
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(url).catch(() => {});
  const button = page.getByRole('button', { name: 'Break the world' });
  if ((await button.count()) > 0) await button.click();
  await page.waitForTimeout(1_000);
}

type Started = {
  child: ChildProcess;
  ended: Promise<{ code: number | null; output: () => string }>;
  output(): string;
};

/** In a group of its own, so that it ends with everything that it started. */
function start(folder: string, command: string): Started {
  const programs = ['venv/bin', 'node_modules/.bin'].map((name) => path.join(folder, name));
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnv({
      PATH: [...programs, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      NEXT_TELEMETRY_DISABLED: '1',
    }),
  });
  let text = '';
  const output = () => text;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-20_000);
    });
  }
  const timer = setTimeout(() => {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  }, COMMAND_MS);
  const ended = new Promise<{ code: number | null; output: () => string }>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
  return { child, ended, output };
}
