import { type ExecFileOptions, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { MINUTE_MS } from '#lib/time.ts';
import { childEnv, ROOT } from '../harness/start-errata.ts';
import { runInBrowser } from './run-in-browser.ts';
import { runNext } from './run-next.ts';
import { Unavailable } from './unavailable.ts';

export const SDKS_FOLDER = path.join(ROOT, 'test/conformance/sdks');
/** What package managers fetch and compile is kept for the next run. */
const CACHE_FOLDER = path.join(ROOT, 'node_modules/.cache/errata-conformance');
/** Below the project, where its packages are found, and not below them: a bundler leaves packages as they are. */
const BUILT_FOLDER = path.join(ROOT, 'test-results/conformance');

/** The kinds that the table has a column for. */
export const KINDS = [
  'errors',
  'messages',
  'transactions',
  'spans',
  'logs',
  'metrics',
  'sessions',
  'check-ins',
  'feedback',
  'attachments',
  'replays',
  'profiles',
] as const;
export type Kind = (typeof KINDS)[number];

export type SdkRun = {
  name: string;
  /** What the program sends by the SDK's own means. */
  sends: readonly Kind[];
  /** Installs, compiles and runs the program to its end. Throws Unavailable. Answers the SDK's version. */
  run(dsn: string): Promise<string>;
};

const BASICS = ['errors', 'messages', 'spans', 'logs'] as const;
/** SDKs that send whole traces as transactions; the newest for JavaScript send spans as they end. */
const EVERYTHING = [...BASICS, 'transactions'] as const;

export const SDK_RUNS: readonly SdkRun[] = [
  {
    name: '@sentry/node',
    sends: [...BASICS, 'metrics', 'sessions', 'check-ins', 'feedback', 'attachments'],
    async run(dsn) {
      await command(process.execPath, ['test/conformance/sdks/node/program.mjs'], ROOT, dsn);
      return npmVersion('@sentry/node');
    },
  },
  {
    name: '@sentry/browser',
    sends: [...BASICS, 'metrics', 'sessions', 'feedback', 'attachments', 'replays'],
    async run(dsn) {
      await runInBrowser(path.join(SDKS_FOLDER, 'browser/program.js'), dsn);
      return npmVersion('@sentry/browser');
    },
  },
  {
    name: '@sentry/react',
    sends: [...BASICS, 'sessions', 'feedback', 'attachments'],
    async run(dsn) {
      await runInBrowser(path.join(SDKS_FOLDER, 'react/program.jsx'), dsn);
      return npmVersion('@sentry/react');
    },
  },
  {
    name: '@sentry/nextjs',
    sends: [...BASICS, 'sessions', 'feedback', 'attachments'],
    async run(dsn) {
      await runNext(copyProgram('nextjs', BUILT_FOLDER), dsn);
      return npmVersion('@sentry/nextjs');
    },
  },
  {
    name: 'Python',
    sends: [...EVERYTHING, 'metrics', 'sessions', 'check-ins', 'attachments', 'profiles'],
    async run(dsn) {
      await need('python3', ['--version']);
      const folder = copyProgram('python');
      const python = path.join(folder, 'venv/bin/python');
      if (!existsSync(python)) await install('python3', ['-m', 'venv', 'venv'], folder);
      await install(
        python,
        ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'sentry-sdk'],
        folder,
      );
      await command(python, ['program.py'], folder, dsn);
      return (
        await command(python, ['-c', 'import sentry_sdk; print(sentry_sdk.VERSION)'], folder, dsn)
      ).trim();
    },
  },
  {
    name: 'Go',
    sends: [...EVERYTHING, 'check-ins', 'attachments'],
    async run(dsn) {
      await need('go', ['version']);
      const folder = copyProgram('go');
      await install('go', ['get', 'github.com/getsentry/sentry-go@latest'], folder);
      await install('go', ['build', '-o', 'program', '.'], folder);
      await command(path.join(folder, 'program'), [], folder, dsn);
      const version = await command('go', ['list', '-m', 'github.com/getsentry/sentry-go'], folder, dsn);
      return version.trim().split(' ').at(-1) ?? '';
    },
  },
  {
    name: 'Java',
    sends: [...EVERYTHING, 'sessions', 'check-ins', 'feedback', 'attachments'],
    async run(dsn) {
      await need('mvn', ['--version']);
      const folder = copyProgram('java');
      await install('mvn', ['-q', '-B', 'package', 'dependency:copy-dependencies'], folder);
      await command('java', ['-cp', 'target/classes:target/dependency/*', 'Program'], folder, dsn);
      const jar = readdirSync(path.join(folder, 'target/dependency')).find((name) =>
        name.startsWith('sentry-'),
      );
      return /(\d+\.\d+\.\d+)/.exec(jar ?? '')?.[1] ?? '';
    },
  },
  {
    name: 'Rust',
    sends: [...EVERYTHING, 'sessions', 'attachments'],
    async run(dsn) {
      await need('cargo', ['--version']);
      const folder = copyProgram('rust');
      await install('cargo', ['build', '--quiet'], folder);
      await command(path.join(folder, 'target/debug/conformance'), [], folder, dsn);
      const id = await command('cargo', ['pkgid', 'sentry'], folder, dsn);
      return /[@#](\d+\.\d+\.\d+)/.exec(id)?.[1] ?? '';
    },
  },
  {
    name: 'Ruby',
    sends: [...EVERYTHING, 'check-ins', 'attachments'],
    async run(dsn) {
      await need('gem', ['--version']);
      const folder = copyProgram('ruby');
      await install('gem', ['install', '--no-document', '--install-dir', 'gems', 'sentry-ruby'], folder);
      await command('ruby', ['program.rb'], folder, dsn, { GEM_PATH: path.join(folder, 'gems') });
      return (
        readdirSync(path.join(folder, 'gems/gems')).find((name) => name.startsWith('sentry-ruby-')) ?? ''
      );
    },
  },
];

/** A folder of its own beside what was fetched before. */
function copyProgram(name: string, parent = CACHE_FOLDER): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(SDKS_FOLDER, name), folder, { recursive: true });
  return folder;
}

async function npmVersion(name: string): Promise<string> {
  const { default: manifest } = (await import(path.join(ROOT, 'node_modules', name, 'package.json'), {
    with: { type: 'json' },
  })) as { default: { version: string } };
  return manifest.version;
}

async function need(program: string, args: readonly string[]): Promise<void> {
  await execute(program, args, { cwd: ROOT }).catch(() => {
    throw new Unavailable(`there is no ${program} on this machine`);
  });
}

/** What fails here is the machine's package manager, not the server. */
async function install(program: string, args: readonly string[], cwd: string): Promise<void> {
  await execute(program, args, { cwd, timeout: 15 * MINUTE_MS }).catch((error: unknown) => {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    throw new Unavailable(`${path.basename(program)} ${args.join(' ')} failed: ${reason.slice(0, 300)}`);
  });
}

const command = (
  program: string,
  args: readonly string[],
  cwd: string,
  dsn: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  execute(program, args, { cwd, timeout: MINUTE_MS, env: childEnv({ SENTRY_DSN: dsn, ...env }) });

function execute(program: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`));
        else resolve(stdout);
      },
    );
  });
}
