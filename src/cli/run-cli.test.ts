import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { conflict, invalid, unavailable } from '#lib/errors.ts';
import type { CliDeps } from './cli-command.ts';
import { COMMANDS, runCli } from './run-cli.ts';

/** Nothing here looks at one. */
const NO_BACKUPS = {} as CliDeps['backups'];

const NO_UPGRADES: CliDeps['upgrades'] = {
  describeRunning: () => null,
  check: () => Promise.reject(unavailable('There is no data')),
};

/** Runs without a server: whatever gets as far as connecting ends with 3. */
async function run(
  argv: readonly string[],
  connect: () => Promise<never> = () => Promise.reject(unavailable('No Errata server runs here')),
) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(argv, {
    io: { out: (line) => out.push(line), err: (line) => err.push(line) },
    connect,
    openFiles: () => Promise.reject(new Error('no blobs here')),
    openForeignDatabase: () => Promise.reject(new Error('no database here')),
    readImportToken: () => null,
    backups: NO_BACKUPS,
    upgrades: NO_UPGRADES,
    checkConfig: () => ({ ok: true, lines: ['The configuration is valid'] }),
  });
  return { code, out, err };
}

describe('help', () => {
  test.each([[['help', 'serve']], [['serve', '--help']]])(
    '%j says how the server is started',
    async (argv) => {
      const { code, out } = await run(argv);
      expect([code, out[0]]).toEqual([0, 'Usage: errata serve [--roles <role,…>]']);
    },
  );

  test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists every command and serve', async (argv) => {
    const { code, out, err } = await run(argv);
    expect([code, err]).toEqual([0, []]);
    const text = out.join('\n');
    for (const { name } of COMMANDS) expect(text).toContain(`  ${name}`);
    expect(text).toContain('serve [--roles edge,digest,web,jobs]');
  });

  test('of one command shows how it is written and what its options mean', async () => {
    for (const argv of [
      ['help', 'token', 'create'],
      ['token', 'create', '--help'],
    ]) {
      const { code, out } = await run(argv);
      expect(code).toBe(0);
      expect(out[0]).toMatch(/^Usage: errata token create --scopes <scope,…> \[--name <name>\]/);
      expect(out.join('\n')).toContain('--expires-days <days>');
    }
  });

  test('of a command that is not there is wrong usage', async () => {
    const { code, out, err } = await run(['help', 'fly']);
    expect([code, out]).toEqual([2, []]);
    expect(err[0]).toContain('"fly" is not a command');
  });
});

describe('imports', () => {
  test.each([
    [['import', 'sentry'], 'Name a server with --url, or a file with --file'],
    [
      ['import', 'sentry', '--url', 'https://sentry.io', '--file', 'x'],
      'Name a server with --url, or a file with --file',
    ],
    [['import', 'sentry', '--url', 'https://sentry.io'], "Name Sentry's organization with --from"],
    [['import', 'sentry', '--url', 'https://sentry.io', '--from', 'acme'], 'Set ERRATA_IMPORT_TOKEN'],
    [
      ['import', 'sentry', '--url', 'https://sentry.io', '--from', 'acme', '--token-file', '/absent'],
      'The token cannot be read',
    ],
    [['import', 'sentry', '--file', '/absent'], '/absent cannot be read'],
  ])('%j says what is missing', async (argv, message) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err[0]).toContain(message);
  });

  test('a database is opened first', async () => {
    const { code, err } = await run(['import', 'bugsink', '--database', 'db.sqlite3']);
    expect([code, err]).toEqual([1, ['errata: no database here']]);
  });
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await run(['--version'])).toEqual({ code: 0, out: [version], err: [] });
});

describe('wrong usage ends with 2, names what is wrong and shows how it is written', () => {
  test.each<[string[], RegExp, RegExp]>([
    [['fly'], /"fly" is not a command/, /errata help/],
    [['project'], /project needs a subcommand/, /Usage: errata project create <slug>/],
    [['project', 'destroy', 'web'], /"project destroy" is not a command/, /Usage: errata project create/],
    [
      ['project', 'create'],
      /<slug> is missing/,
      /Usage: errata project create <slug> \[--platform <platform>\]/,
    ],
    [['project', 'create', 'web', 'shop'], /Unexpected argument: "shop"/, /Usage: errata project create/],
    [
      ['project', 'create', 'web', '--colour', 'red'],
      /Unknown option '--colour'/,
      /Usage: errata project create/,
    ],
    [['project', 'create', 'web', '--platform'], /--platform/, /Usage: errata project create/],
    [['dsn'], /<project> is missing/, /Usage: errata dsn <project> \[--org <slug>\]/],
    [['dsn', 'web', '--json'], /Unknown option '--json'/, /Usage: errata dsn/],
    [['token', 'create'], /--scopes is missing/, /Usage: errata token create/],
    [['token', 'create', '--scopes', ''], /at least one scope/, /Usage: errata token create/],
    [['token', 'create', '--scopes', 'event:read,event:fly'], /"event:fly" is not a scope/, /Usage:/],
    [
      ['token', 'create', '--scopes', 'event:read', '--expires-days', 'soon'],
      /--expires-days must be/,
      /Usage:/,
    ],
    [
      ['token', 'create', '--scopes', 'event:read', '--expires-days', '0'],
      /--expires-days must be/,
      /Usage:/,
    ],
    [['user', 'reset-password'], /<email> is missing/, /Usage: errata user reset-password <email>/],
    [['status', 'now'], /Unexpected argument: "now"/, /Usage: errata status/],
    [['quarantine', 'show'], /<id> is missing/, /Usage: errata quarantine show <id>/],
    [['quarantine', 'show', 'seven'], /"seven" is not a number/, /Usage: errata quarantine show/],
    [['quarantine', 'replay', '-1'], /-1/, /Usage: errata quarantine replay/],
    [['quarantine'], /quarantine needs a subcommand/, /Usage: errata quarantine list/],
  ])('%j', async (argv, message, usage) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, []]);
    expect(err[0]).toMatch(message);
    expect(err.slice(1).join('\n')).toMatch(usage);
  });
});

describe('what cannot be done', () => {
  const needServer = [
    ['project', 'create', 'web'],
    ['dsn', 'web'],
    ['token', 'create', '--scopes', 'event:read, org:read'],
    ['user', 'reset-password', 'ana@example.com'],
    ['user', 'reset-two-factor', 'ana@example.com'],
    ['send-test-event'],
    ['status'],
    ['quarantine', 'list'],
    ['quarantine', 'show', '7'],
    ['quarantine', 'replay', '7'],
  ];
  test.each(needServer)('%s %s %s ends with 3 when no server is found', async (...argv) => {
    const { code, out, err } = await run(argv.filter((word) => word !== undefined));
    expect({ code, out, err }).toEqual({ code: 3, out: [], err: ['errata: No Errata server runs here'] });
  });

  test('a platform with a typing error is refused before anything is made', async () => {
    const { code, err } = await run(['project', 'create', 'web', '--platform', 'pythn']);
    expect([code, err[0]]).toEqual([2, 'errata: "pythn" is not a platform: did you mean python?']);
    const unknown = await run(['project', 'create', 'web', '--platform', 'cobol']);
    expect(unknown.err[0]).toMatch(/"cobol" is not a platform: use one of javascript, /);
  });

  test('a refusal ends with 1, a bad value with 2 and the usage line', async () => {
    const refused = await run(['dsn', 'web'], () => Promise.reject(conflict('The slug is taken')));
    expect(refused).toEqual({ code: 1, out: [], err: ['errata: The slug is taken'] });
    const wrong = await run(['dsn', 'web'], () => Promise.reject(invalid('PORT: bad\nERRATA_URL: bad')));
    expect(wrong.code).toBe(2);
    expect(wrong.err).toEqual([
      'errata: PORT: bad',
      'errata: ERRATA_URL: bad',
      'Usage: errata dsn <project> [--org <slug>]',
    ]);
  });
});

test('config check needs no server', async () => {
  expect(await run(['config', 'check'])).toEqual({ code: 0, out: ['The configuration is valid'], err: [] });
});

test('config check tells what is wrong on standard error and ends with 1', async () => {
  const err: string[] = [];
  const out: string[] = [];
  const code = await runCli(['config', 'check'], {
    io: { out: (line) => out.push(line), err: (line) => err.push(line) },
    connect: () => Promise.reject(unavailable('not needed')),
    openFiles: () => Promise.reject(unavailable('not needed')),
    openForeignDatabase: () => Promise.reject(unavailable('not needed')),
    readImportToken: () => null,
    backups: NO_BACKUPS,
    upgrades: NO_UPGRADES,
    checkConfig: () => ({ ok: false, lines: ['ERRATA_URI is not an Errata setting', 'PORT: not a number'] }),
  });
  expect({ code, out, err }).toEqual({
    code: 1,
    out: [],
    err: ['ERRATA_URI is not an Errata setting', 'PORT: not a number'],
  });
});
