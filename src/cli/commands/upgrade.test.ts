import { expect, test } from 'vitest';
import { conflict, unavailable } from '#lib/errors.ts';
import type { UpgradeReport } from '#product/upgrades/upgrade-report.ts';
import type { CliDeps, CliUpgrades } from '../cli-command.ts';
import { runCli } from '../run-cli.ts';

const NOTHING: UpgradeReport = {
  version: '1.1.0',
  installed: { version: '1.1.0', startedAt: Date.UTC(2026, 0, 1) },
  applied: { PostgreSQL: 38, ClickHouse: 16 },
  newer: [],
  plan: { migrations: [], ms: 0, addedBytes: 0, oneWay: [] },
  isUnfinished: false,
  backup: { kind: 'none', reason: 'nothing is migrated' },
  lastGoodBackup: null,
  disk: { freeBytes: 5e9, neededBytes: 0, missingBytes: 0 },
  downgrade: { version: '1.0.0', isPossible: true, because: [] },
  problems: [],
};

const FILLED: UpgradeReport = {
  ...NOTHING,
  installed: null,
  plan: {
    migrations: [
      {
        store: 'ClickHouse',
        name: '0008_names.sql',
        summary: 'Names in the index',
        isInstant: false,
        rows: 1_234_567,
        bytes: 80e6,
        ms: 150_000,
        addedBytes: 8e6,
        isCompatible: false,
      },
    ],
    ms: 150_000,
    addedBytes: 8e6,
    oneWay: ['0008_names.sql'],
  },
  backup: { kind: 'planned', folder: '/backups', neededBytes: 96e6, ms: 9_600, missingBytes: 0 },
  lastGoodBackup: { id: 'b1', folder: '/backups', at: Date.now() - 5 * 3_600_000 },
  downgrade: { version: '1.0.0', isPossible: false, because: ['0008_names.sql'] },
};

async function run(argv: readonly string[], check: CliUpgrades['check'], running: string | null = null) {
  const out: string[] = [];
  const err: string[] = [];
  const deps: CliDeps = {
    io: { out: (line) => out.push(line), err: (line) => err.push(line) },
    connect: () => Promise.reject(unavailable('No Errata server runs here')),
    openFiles: () => Promise.reject(new Error('no files here')),
    openForeignDatabase: () => Promise.reject(new Error('no database here')),
    readImportToken: () => null,
    checkConfig: () => ({ ok: true, lines: [] }),
    backups: {} as CliDeps['backups'],
    upgrades: { describeRunning: () => running, check },
  };
  return { code: await runCli(argv, deps), out: out.join('\n'), err: err.join('\n') };
}

test('says what is migrated, how long, how much, the backup before and the way back', async () => {
  const { code, out } = await run(['upgrade', '--check'], async () => FILLED);
  expect(code).toBe(0);
  expect(out).toContain('a version that did not note itself (0.1.0 or before)');
  expect(out).toContain(
    '0008_names.sql  Names in the index: about 3 min, goes through 1,234,567 rows (80.0 MB), adds 8.0 MB',
  );
  expect(out).toContain('Disk: up to 8.0 MB more disk; 5.00 GB free');
  expect(out).toContain('Backup: made first, to /backups; about 10 s, up to 96.0 MB');
  expect(out).toContain('Errata 1.0.0 does not run with 0008_names.sql');
  expect(out).toContain('Last good backup: b1 in /backups, 5 h old');
  expect(out).toContain('Ready. Stop Errata on all machines');
});

test('where the version before still runs afterwards, machines are replaced one after another', async () => {
  const downgrade = { version: '1.0.0', isPossible: true, because: [] };
  const { out } = await run(['upgrade', '--check'], async () => ({ ...FILLED, downgrade }));
  expect(out).toContain('Ready. Start this version, one machine after another.');
});

test('with nothing to migrate says so; as JSON it is the report', async () => {
  expect((await run(['upgrade', '--check'], async () => NOTHING)).out).toContain('Nothing to migrate.');
  const { out } = await run(['upgrade', '--check', '--json'], async () => FILLED);
  expect(JSON.parse(out)).toMatchObject({ version: '1.1.0', plan: { addedBytes: 8e6 } });
});

test('what stands in the way ends with 1 and the next step', async () => {
  const problems = [{ detail: 'There is no room', next: 'Free disk space' }];
  const { code, out } = await run(['upgrade', '--check'], async () => ({ ...FILLED, problems }));
  expect([code, out.includes('Ready.')]).toEqual([1, false]);
  expect(out).toContain('failed   There is no room\n         → Free disk space');
  const newer = await run(['upgrade', '--check'], () => Promise.reject(conflict('It is newer')));
  expect(newer).toEqual({ code: 1, out: '', err: 'errata: It is newer' });
});

test('without --check it changes nothing either', async () => {
  const { code, err } = await run(['upgrade'], () => Promise.reject(new Error('not asked')));
  expect(code).toBe(2);
  expect(err).toContain('Usage: errata upgrade --check [--json]');
});

test('status says how far a running upgrade is', async () => {
  const never = () => Promise.reject(new Error('not asked'));
  const text = await run(['status'], never, 'Migrating PostgreSQL: 0005_x.sql, 1 of 3, 4 s');
  expect(text).toEqual({
    code: 1,
    out: 'upgrading  Migrating PostgreSQL: 0005_x.sql, 1 of 3, 4 s',
    err: '',
  });
  const { out } = await run(['status', '--json'], never, 'x');
  expect(JSON.parse(out)).toEqual({ status: 'upgrading', checks: { upgrade: { ok: false, detail: 'x' } } });
});
