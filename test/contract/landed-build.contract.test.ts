import { expect, test } from 'vitest';
import { readMigrationFiles } from '#lib/migration-files.ts';
import { MIGRATIONS_FOLDER as CLICKHOUSE_FOLDER } from '#storage/clickhouse/migrate.ts';
import { MIGRATIONS_FOLDER as POSTGRES_FOLDER } from '#storage/postgres/migrate.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { LANDED_BUILDS } from '../landed-builds/list-landed-builds.ts';
import { describeUpgradeOf } from '../landed-builds/upgrade-suite.ts';

test.each([
  ['postgres', POSTGRES_FOLDER],
  ['clickhouse', CLICKHOUSE_FOLDER],
] as const)('every migration of %s came with a build, but for those of the next release', (store, folder) => {
  const landed = LANDED_BUILDS.flatMap((build) => build[store]);
  expect(new Set(landed).size).toBe(landed.length);
  const files = readMigrationFiles(folder).map(({ version }) => version);
  expect(files).toEqual(expect.arrayContaining([...landed]));
  const last = Math.max(...landed);
  expect(files.filter((version) => version <= last && !landed.includes(version))).toEqual([]);
});

/** The first release, which is the oldest that people run; the full run has all of them. */
const released = LANDED_BUILDS.find(({ name }) => name.endsWith('-0.1.0'));
if (released && !IS_FULL) describeUpgradeOf(released);
