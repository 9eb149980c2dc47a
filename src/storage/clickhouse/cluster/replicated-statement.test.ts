import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrationFiles, tablesOf } from '#lib/migration-files.ts';
import { splitStatements } from '../migrate.ts';
import { replicatedStatement, runsOnEveryReplica } from './replicated-statement.ts';

/** No engine of the tests has a Keeper: what servers would be told is compared as text, for every statement there is. */
const FILES = readMigrationFiles(join(import.meta.dirname, '../migrations'));
const STATEMENTS = FILES.flatMap(({ sql }) => splitStatements(sql));
const replicated = (statement: string) => replicatedStatement(statement, 'errata_local');

test('every table of the migrations is kept alike on servers with the same rows', () => {
  const made = STATEMENTS.map(replicated).flatMap((statement) => {
    const table = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement)?.[1];
    const engine = /ENGINE = (\w+)\('([^']+)', '([^']+)'\)/.exec(statement);
    return table ? [{ table, engine: engine?.[1], path: engine?.[2], replica: engine?.[3] }] : [];
  });
  expect(made.map(({ table }) => table).sort()).toEqual(tablesOf(FILES));
  for (const { table, engine, path, replica } of made) {
    expect(engine).toMatch(/^Replicated(?:Replacing|Aggregating)MergeTree$/);
    expect(path).toBe(`/clickhouse/tables/{shard}/errata_local/${table}`);
    expect(replica).toBe('{replica}');
  }
  expect(new Set(made.map(({ path }) => path)).size).toBe(made.length);
});

test('only the engine changes', () => {
  for (const statement of STATEMENTS) {
    const back = replicated(statement).replace(/Replicated(\w+)\('[^']+', '[^']+'\)/, '$1');
    expect(back).toBe(statement);
  }
  expect(
    replicated(STATEMENTS.find((each) => each.startsWith('CREATE TABLE IF NOT EXISTS person_rows'))!),
  ).toContain(
    `ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/errata_local/person_rows', '{replica}')
PARTITION BY request_id`,
  );
});

test('parameters of an engine stay behind those of replication', () => {
  expect(replicated('CREATE TABLE sums (n UInt64) ENGINE = SummingMergeTree(n) ORDER BY tuple()')).toBe(
    "CREATE TABLE sums (n UInt64) ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/errata_local/sums', '{replica}', n) ORDER BY tuple()",
  );
});

test('each server keeps its own list of migrations', () => {
  for (const table of ['schema_migrations', 'schema_migration_steps']) {
    const statement = `CREATE TABLE IF NOT EXISTS ${table} (n UInt64) ENGINE = MergeTree ORDER BY n`;
    expect(replicated(statement)).toBe(statement);
  }
});

test('a change that is waited for has ended on all servers', () => {
  const change = "ALTER TABLE events DELETE IN PARTITION ID '20260101' WHERE 1 SETTINGS mutations_sync =";
  expect(replicated(`${change} 1`)).toBe(`${change} 2`);
  const background = 'ALTER TABLE events MATERIALIZE PROJECTION by_user SETTINGS mutations_sync = 0';
  expect(replicated(background)).toBe(background);
});

test('what Keeper does not pass on runs on every server, all else on one of each shard', () => {
  const kinds = Map.groupBy(STATEMENTS, (statement) => {
    const [verb, , , change] = statement.split(/\s+/);
    return verb === 'ALTER' ? `${verb} … ${change} ${statement.split(/\s+/)[4]}` : verb;
  });
  const everywhere = [...kinds].filter(([, statements]) => statements.every(runsOnEveryReplica));
  const once = [...kinds].filter(([, statements]) => !statements.some(runsOnEveryReplica));
  expect(everywhere.length + once.length).toBe(kinds.size);
  expect(everywhere.map(([kind]) => kind).sort()).toEqual(['ALTER … MODIFY SETTING', 'CREATE']);
  expect(once.map(([kind]) => kind).sort()).toEqual([
    'ALTER … ADD COLUMN',
    'ALTER … ADD INDEX',
    'ALTER … ADD PROJECTION',
    'ALTER … DROP INDEX',
    'ALTER … MATERIALIZE INDEX',
    'ALTER … MATERIALIZE PROJECTION',
    'ALTER … MODIFY COLUMN',
    'INSERT',
  ]);
  for (const statement of [
    'DELETE FROM events WHERE 1',
    "ALTER TABLE events DROP PARTITION ID '20260101'",
    'KILL MUTATION WHERE 1',
  ])
    expect(runsOnEveryReplica(statement)).toBe(false);
  expect(runsOnEveryReplica('DROP TABLE events SYNC')).toBe(true);
});
