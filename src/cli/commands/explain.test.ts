import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import type { CliDeps } from '../cli-command.ts';
import { runCli } from '../run-cli.ts';

/** Nothing here looks at one. */
const NO_BACKUPS = {} as CliDeps['backups'];
const NO_UPGRADES = {} as CliDeps['upgrades'];

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'errata-explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = { code: number | null; out: string; err: string };

/** Runs the command in this process, which takes a second less. */
async function runHere(args: readonly string[]): Promise<Answer> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    io: { out: (line) => out.push(line), err: (line) => err.push(line) },
    connect: () => Promise.reject(new Error('No server is asked')),
    openFiles: () => Promise.reject(new Error('no blobs here')),
    openForeignDatabase: () => Promise.reject(new Error('no database here')),
    readImportToken: () => null,
    backups: NO_BACKUPS,
    upgrades: NO_UPGRADES,
    checkConfig: () => ({ ok: true, lines: [] }),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/**
 * Runs the program with no server and no data directory: what `bin/errata` starts, without its look at the installed
 * packages, which would install them anew under the tests that run beside this one.
 */
function errata(args: readonly string[], stdin?: string): Promise<Answer> {
  return new Promise((done) => {
    const { PATH, HOME } = process.env;
    // Compiled once for all of them.
    const NODE_COMPILE_CACHE = join(folder, 'compiled');
    const ERRATA_DATA_DIR = join(folder, 'none');
    const env = { NODE_ENV: 'test', PATH, HOME, NODE_COMPILE_CACHE, ERRATA_DATA_DIR } as const;
    const child = execFile(
      process.execPath,
      [join(ROOT, 'src/main.ts'), ...args],
      { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      (_error, out, err) => done({ code: child.exitCode, out, err }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin ?? '');
  });
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('explains an event of a file and of standard input', async () => {
  const event = '{"message":"a b","release":"1.0","extra":{"password":"x"}}';
  const [ofFile, ofInput] = await Promise.all([
    runHere(['explain', file('event.json', event)]),
    errata(['explain', '-'], event),
  ]);
  for (const { code, out, err } of [ofFile, ofInput]) {
    expect([code, err]).toEqual([0, '']);
    const explanation = JSON.parse(out) as Record<string, unknown>;
    expect(Object.keys(explanation)).toEqual(['outcome', 'event', 'grouping', 'scrubbed']);
    expect(explanation).toMatchObject({
      outcome: { outcome: 'accepted' },
      event: { stored: { logentry: { formatted: 'a b' }, extra: { password: '[Filtered]' } } },
    });
  }
});

test('explains an envelope with the settings of a file and a sender', async () => {
  const settings = file('settings.json', '{"filters":{"ipAddresses":["203.0.113.0/24"]}}');
  const envelope =
    '{}\n{"type":"event"}\n{"message":"x"}\n{"type":"attachment","length":1,"filename":"a"}\nb\n';
  const sent = file('envelope', envelope);
  const { code, out } = await runHere(['explain', sent, '--settings', settings, '--ip', '203.0.113.9']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    outcome: { outcome: 'filtered', reason: 'ip-address' },
    items: [{ type: 'event' }, { type: 'attachment', outcomes: [{ reason: 'ip-address' }] }],
  });
});

test('a large answer arrives whole through a pipe', async () => {
  const extra = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v'.repeat(1_000)]),
  );
  const { code, out } = await errata(['explain', '-'], JSON.stringify({ message: 'x', extra }));
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ event: { stored: { extra: { k199: 'v'.repeat(1_000) } } } });
});

/** They start one after another, each as slowly as a busy machine lets it. */
test('what cannot be read ends with 1 and says so, wrong usage with 2', async () => {
  const large = file('large.json', Buffer.alloc(33 * 1024 * 1024, 'x'));
  const cases: [string[], number, RegExp][] = [
    [['explain', join(folder, 'none.json')], 1, /none\.json cannot be read: no such file/],
    [['explain', folder], 1, /is a directory/],
    [['explain', file('empty', '')], 1, /empty is empty/],
    [['explain', large], 1, /larger than 33554432 bytes/],
    [['explain'], 2, /<file> is missing/],
    [['explain', '-', '--ip', 'home'], 2, /"home" is not an IP address/],
    [['explain', '-', '--settings', file('bad.json', '{"filters":{"lol":1}}')], 2, /lol/],
    [['explain', '-', '--settings', join(folder, 'none.json')], 1, /no such file/],
  ];
  for (const [args, code, message] of cases) {
    const result = await runHere(args);
    expect([args.at(-1), result.code, result.out]).toEqual([args.at(-1), code, '']);
    expect(result.err).toMatch(message);
  }
});

testInFull('tells how an event is grouped, by the rules of files, and what is wrong with them', async () => {
  const event = file('crash.json', '{"platform":"node","exception":{"type":"E","value":"v 1"}}');
  const fingerprint = file('fingerprint.txt', '# ours\ntype:E -> {{ type }}\nnonsense\n');
  const stackTrace = file('stack-trace.txt', 'function:pay +app\n');
  const [plain, ruled] = await Promise.all([
    runHere(['explain', event, '--grouping']),
    runHere([
      ...['explain', event, '--grouping', '--fingerprint-rules', fingerprint],
      ...['--stack-trace-rules', stackTrace],
    ]),
  ]);
  expect([plain.code, plain.err]).toEqual([0, '']);
  expect(JSON.parse(plain.out)).toMatchObject({
    config: 'newstyle:2026-01-20',
    variants: { app: { hash: expect.any(String), contributes: true, values: ['E', 'v <int>'], tree: {} } },
  });
  expect(ruled.code).toBe(0);
  expect(ruled.err).toMatch(/fingerprint\.txt:3:\d+: /);
  expect(JSON.parse(ruled.out)).toMatchObject({
    variants: { custom_server_fingerprint: { values: ['E'] }, app: { hash: null } },
  });
  const none = await errata(['explain', '-', '--grouping'], '{}\n{"type":"client_report"}\n{}\n');
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no event')]);
});

test('parameterizes a message, or each line', async () => {
  const [one, lines] = await Promise.all([
    errata(['parameterize'], 'user 17\nat 3.5\n'),
    errata(['parameterize', '--lines'], 'user 17\n\nat 3.5\n'),
  ]);
  expect([one.code, one.out]).toEqual([0, 'user <int>\nat <float>\n']);
  expect([lines.code, lines.out]).toEqual([0, 'user <int>\n\nat <float>\n']);
});
