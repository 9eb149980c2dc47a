import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrationFiles } from '#lib/migration-files.ts';
import { listOwnTables, splitStatements } from '../migrate.ts';
import { distributed } from './join-tables.ts';
import { SHARDING_KEYS } from './sharding-keys.ts';

const STATEMENTS = readMigrationFiles(join(import.meta.dirname, '../migrations')).flatMap(({ sql }) =>
  splitStatements(sql),
);

test('every table has a sharding key', () => {
  expect(Object.keys(SHARDING_KEYS).sort()).toEqual(listOwnTables());
});

test('rows with the same sorting key lie on the same shard, so that those that come twice become one', () => {
  for (const [table, key] of Object.entries(SHARDING_KEYS)) {
    const made = STATEMENTS.find((statement) => statement.startsWith(`CREATE TABLE IF NOT EXISTS ${table} `));
    const sorted = /^ORDER BY \((.*)\)$/m.exec(made ?? '')?.[1]?.split(', ') ?? [];
    const column = /([a-z_]+_id|grouping_hash)\b/.exec(key)?.[1];
    expect(sorted, table).toContain(column);
  }
});

test('a joined table names its cluster, its database, and its key', () => {
  expect(distributed('spans', { cluster: 'main', storedIn: 'errata_local' })).toBe(
    "Distributed('main', 'errata_local', 'spans', cityHash64(toString(trace_id)))",
  );
  expect(() => distributed('others', { cluster: 'main', storedIn: 'errata_local' })).toThrow('others');
});
