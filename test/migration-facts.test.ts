import { expect, test } from 'vitest';
import { readMigrationFiles, tablesOf } from '#lib/migration-files.ts';
import { MIGRATIONS_FOLDER as CLICKHOUSE_FOLDER } from '#storage/clickhouse/migrate.ts';
import * as clickhouse from '#storage/clickhouse/migration-facts.ts';
import { MIGRATIONS_FOLDER as POSTGRES_FOLDER } from '#storage/postgres/migrate.ts';
import * as postgres from '#storage/postgres/migration-facts.ts';

test.each([
  ['postgres', POSTGRES_FOLDER, postgres],
  ['clickhouse', CLICKHOUSE_FOLDER, clickhouse],
] as const)(
  'every migration of %s says what it changes, what it costs and who runs with it',
  (_store, folder, facts) => {
    const files = readMigrationFiles(folder);
    expect(facts.factNames()).toEqual(files.map(({ name }) => name));
    for (const [index, { name, sql }] of files.entries()) {
      const { summary, cost } = facts.factsOf(name);
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^.]{8,}$/)]);
      // What it goes through was there before.
      const earlier = tablesOf(files.slice(0, index));
      for (const table of cost?.tables ?? [])
        expect([name, earlier]).toEqual([name, expect.arrayContaining([table])]);
      // What fills or rewrites rows is never called instant.
      if (/^INSERT INTO|^UPDATE (?:issues|grouping_hashes|events)/m.test(sql)) {
        expect([name, cost]).toEqual([name, expect.objectContaining({ passes: expect.any(Number) })]);
      }
    }
  },
);

test('a migration that fills a table from stored rows keeps older versions out', () => {
  for (const { name, sql } of readMigrationFiles(CLICKHOUSE_FOLDER)) {
    if (!/^INSERT INTO/m.test(sql)) continue;
    expect([name, clickhouse.factsOf(name).isCompatible]).toEqual([name, false]);
  }
});
