import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { readClickhouseSchema } from '#storage/clickhouse/schema-state.ts';
import { createRelationalSource } from '#storage/postgres/backup/relational-cut.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { readPostgresSchema } from '#storage/postgres/schema-state.ts';
import { testInFull } from '../harness/is-full.ts';
import {
  createEmptyPostgres,
  describeOnClickhouseServer,
  describeOnPostgres,
  openMissingClickhouse,
  testLog,
} from './engines.ts';
import { makeEvent } from './sample-events.ts';

const storage = join(import.meta.dirname, '../../src/storage');

/** How migrations are run is tried with the first ones, of which two are enough; that all of them run, with all. */
const FEW = 2;

const ORIGIN = { organizationId: 1, projectId: 1, keyId: 1 };
const NEWER = { version: '2.1.0', versionBefore: '2.0.0' };

/** A copy of the migrations, to change. */
function copyMigrations(store: 'postgres' | 'clickhouse'): string {
  const folder = mkdtempSync(join(tmpdir(), 'errata-migrations-'));
  cpSync(join(storage, store, 'migrations'), folder, { recursive: true });
  return folder;
}

describeOnPostgres('Migrations', (engine) => {
  let database: PostgresDatabase;
  let drop: () => Promise<void>;
  let folder: string;
  beforeEach(async () => {
    const empty = await createEmptyPostgres(engine);
    database = openPostgres(empty.url);
    folder = copyMigrations('postgres');
    drop = empty.drop;
  });
  afterEach(async () => {
    await database.close();
    await drop();
    rmSync(folder, { recursive: true });
  });

  const listApplied = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      'SELECT name FROM schema_migrations ORDER BY version',
    );
    return rows.map((row) => row.name);
  };
  const files = () => readdirSync(folder).sort();
  const keepFew = () => {
    for (const file of files().slice(FEW)) rmSync(join(folder, file));
  };

  test('each is applied once, however often they run', async () => {
    await migratePostgres(database, testLog, { folder });
    await migratePostgres(database, testLog, { folder });
    expect(await listApplied()).toEqual(files());
    expect(files().length).toBeGreaterThan(0);
  });

  test('programs that start together apply each once', async () => {
    keepFew();
    await Promise.all(Array.from({ length: 4 }, () => migratePostgres(database, testLog, { folder })));
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that fails leaves nothing behind, and the ones before it stay', async () => {
    keepFew();
    writeFileSync(join(folder, '9000_broken.sql'), 'CREATE TABLE half (id int); SELECT nonsense;');
    await expect(migratePostgres(database, testLog, { folder })).rejects.toThrow('nonsense');
    expect(await listApplied()).toEqual(files().slice(0, -1));
    const { rows } = await database.pool.query("SELECT to_regclass('half') AS half");
    expect(rows).toEqual([{ half: null }]);
    writeFileSync(join(folder, '9000_broken.sql'), 'CREATE TABLE half (id int);');
    await migratePostgres(database, testLog, { folder });
    expect(await listApplied()).toEqual(files());
  });

  test('an applied file that was changed is refused by name', async () => {
    keepFew();
    await migratePostgres(database, testLog, { folder });
    writeFileSync(join(folder, files()[0]!), 'SELECT 1;');
    await expect(migratePostgres(database, testLog, { folder })).rejects.toThrow(files()[0]!);
  });

  test('a database that is newer than the program is refused', async () => {
    keepFew();
    const newer = join(folder, '9001_newer.sql');
    writeFileSync(newer, 'SELECT 1;');
    await migratePostgres(database, testLog, { folder });
    rmSync(newer);
    await expect(migratePostgres(database, testLog, { folder })).rejects.toThrow(
      /newer than this program.*9001_newer/,
    );
  });

  test('the version before starts on what it runs with, and is refused beside anything else, by the version that is needed', async () => {
    await migratePostgres(database, testLog, { folder, code: NEWER });
    const schema = (version: string) => readPostgresSchema(database, { folder, version });
    // Both only add what an older version neither needs nor fills.
    rmSync(join(folder, '0026_release_adoptions.sql'));
    rmSync(join(folder, '0033_slow_metric_rules.sql'));
    const before = { version: '2.0.3', versionBefore: '1.9.0' };
    await migratePostgres(database, testLog, { folder, code: before });
    expect((await schema('2.0.3')).newer.map(({ name }) => name)).toEqual([
      '0026_release_adoptions.sql',
      '0033_slow_metric_rules.sql',
    ]);
    // Two versions back is too far, whatever was added.
    await expect(
      migratePostgres(database, testLog, { folder, code: { version: '1.9.9', versionBefore: '1.8.0' } }),
    ).rejects.toThrow(/newer than this program: it has migration 0026.*Start Errata 2\.1\.0/);
    rmSync(join(folder, '0035_data_requests.sql'));
    await expect(migratePostgres(database, testLog, { folder, code: before })).rejects.toThrow(
      /it has migration 0035_data_requests.*Start Errata 2\.1\.0/,
    );
    await expect(schema('2.0.3')).rejects.toThrow('0035_data_requests');
  });

  test('a backup by the version before has the tables that it does not know', async () => {
    await migratePostgres(database, testLog, { folder, code: NEWER });
    await database.pool.query(
      `ALTER TABLE dashboard_stars RENAME TO stars_of_tomorrow;
       UPDATE schema_migrations SET tables = '{stars_of_tomorrow}' WHERE name = '0030_dashboard_shares.sql'`,
    );
    const cut = await createRelationalSource(database).cut();
    await cut.end();
    expect(cut.tables.map(({ name }) => name)).toContain('stars_of_tomorrow');
  });
});

describeOnClickhouseServer('Migrations', (engine) => {
  let database: ReturnType<typeof openMissingClickhouse>;
  let folder: string;
  beforeEach(() => {
    database = openMissingClickhouse(engine);
    folder = copyMigrations('clickhouse');
  });
  afterEach(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const listApplied = async () => {
    const rows = await database.query<{ name: string }>(
      'SELECT DISTINCT version, name FROM schema_migrations ORDER BY version',
      {},
    );
    return rows.map((row) => row.name);
  };
  const files = () => readdirSync(folder).sort();
  const keepFew = () => {
    for (const file of files().slice(FEW)) rmSync(join(folder, file));
  };

  test('the database is made, and each is applied once, however often they run', async () => {
    await migrateClickhouse(database, testLog, { folder });
    await migrateClickhouse(database, testLog, { folder });
    expect(await listApplied()).toEqual(files());
    expect(files().length).toBeGreaterThan(0);
  });

  testInFull('programs that start together do no harm', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrateClickhouse(database, testLog, { folder })));
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that was interrupted runs again', async () => {
    keepFew();
    const statements = [
      "-- A semicolon within a line is part of a statement;\nCREATE TABLE IF NOT EXISTS a (text String DEFAULT ';') ENGINE = MergeTree ORDER BY text;",
      'SELECT nonsense;',
    ];
    writeFileSync(join(folder, '9000_broken.sql'), statements.join('\n'));
    await expect(migrateClickhouse(database, testLog, { folder })).rejects.toThrow('nonsense');
    expect(await listApplied()).toEqual(files().slice(0, -1));
    writeFileSync(join(folder, '9000_broken.sql'), statements[0]!);
    await migrateClickhouse(database, testLog, { folder });
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that was interrupted goes on after its last finished statement, unless events came in between', async () => {
    await migrateClickhouse(database, testLog, { folder });
    const first = ['CREATE TABLE IF NOT EXISTS log (step String) ENGINE = MergeTree ORDER BY step;'];
    first.push("INSERT INTO log VALUES ('first');");
    writeFileSync(
      join(folder, '9000_long.sql'),
      [...first, "INSERT INTO log SELECT 'second' FROM later;", "INSERT INTO log VALUES ('third');"].join(
        '\n',
      ),
    );
    const interrupted = () =>
      expect(migrateClickhouse(database, testLog, { folder, noteAfterMs: 0 })).rejects.toThrow('later');
    const steps = async () =>
      (await database.query<{ step: string }>('SELECT step FROM log ORDER BY step', {})).map(
        ({ step }) => step,
      );
    await interrupted();
    await interrupted();
    expect(await steps()).toEqual(['first']);
    const event = makeEvent({ organizationId: 1, projectId: 1 });
    await createEventStore(database).insertEvents([event], 'in between');
    await interrupted();
    expect(await steps()).toEqual(['first', 'first']);
    await database.command('CREATE TABLE later ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS one');
    await migrateClickhouse(database, testLog, { folder, noteAfterMs: 0 });
    expect(await steps()).toEqual(['first', 'first', 'second', 'third']);
    expect(await listApplied()).toEqual(files());
  });

  test('an applied file that was changed is refused by name', async () => {
    keepFew();
    await migrateClickhouse(database, testLog, { folder });
    writeFileSync(join(folder, files()[0]!), 'SELECT 1;');
    await expect(migrateClickhouse(database, testLog, { folder })).rejects.toThrow(files()[0]!);
  });

  test('a database that is newer than the program is refused', async () => {
    keepFew();
    const newer = join(folder, '9001_newer.sql');
    writeFileSync(newer, 'SELECT 1;');
    await migrateClickhouse(database, testLog, { folder });
    rmSync(newer);
    await expect(migrateClickhouse(database, testLog, { folder })).rejects.toThrow(
      /newer than this program.*9001_newer/,
    );
  });

  test('the version before starts on what it runs with, and is refused beside anything else, by the version that is needed', async () => {
    await migrateClickhouse(database, testLog, { folder, code: NEWER });
    rmSync(join(folder, '0012_replay_facts.sql'));
    rmSync(join(folder, '0016_person_rows.sql'));
    const before = { version: '2.0.3', versionBefore: '1.9.0' };
    await migrateClickhouse(database, testLog, { folder, code: before });
    const { newer } = await readClickhouseSchema(database, { folder, version: '2.0.3' });
    expect(newer.map(({ name }) => name)).toEqual(['0012_replay_facts.sql', '0016_person_rows.sql']);
    // What it stores beside is whole for both.
    await createEventStore(database).insertEvents([makeEvent(ORIGIN)], 'before');
    const [stored] = await database.query<{ rows: number }>('SELECT count() AS rows FROM event_values', {});
    expect(stored?.rows).toBeGreaterThan(0);
    rmSync(join(folder, '0008_event_index_names.sql'));
    await expect(migrateClickhouse(database, testLog, { folder, code: before })).rejects.toThrow(
      /it has migration 0008_event_index_names.*Start Errata 2\.1\.0/,
    );
  });

  test('what is pending is measured, and a database that is not there yet has nothing', async () => {
    const missing = await readClickhouseSchema(database, { folder });
    expect([missing.applied, missing.bytes, missing.pending.length]).toEqual([[], 0, files().length]);
    const held = join(folder, '0014_rows_by_user.sql');
    const text = readFileSync(held);
    rmSync(held);
    await migrateClickhouse(database, testLog, { folder });
    await createEventStore(database).insertEvents([makeEvent(ORIGIN), makeEvent(ORIGIN)], 'measured');
    writeFileSync(held, text);
    const { pending, bytes } = await readClickhouseSchema(database, { folder });
    expect(pending).toMatchObject([{ name: '0014_rows_by_user.sql', rows: 2 }]);
    expect(pending[0]?.bytes).toBeGreaterThan(100);
    expect(bytes).toBeGreaterThan(pending[0]?.bytes ?? 0);
  });
});
