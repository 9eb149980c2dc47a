import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
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
    await migratePostgres(database, testLog, folder);
    await migratePostgres(database, testLog, folder);
    expect(await listApplied()).toEqual(files());
    expect(files().length).toBeGreaterThan(0);
  });

  test('programs that start together apply each once', async () => {
    keepFew();
    await Promise.all(Array.from({ length: 4 }, () => migratePostgres(database, testLog, folder)));
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that fails leaves nothing behind, and the ones before it stay', async () => {
    keepFew();
    writeFileSync(join(folder, '9000_broken.sql'), 'CREATE TABLE half (id int); SELECT nonsense;');
    await expect(migratePostgres(database, testLog, folder)).rejects.toThrow('nonsense');
    expect(await listApplied()).toEqual(files().slice(0, -1));
    const { rows } = await database.pool.query("SELECT to_regclass('half') AS half");
    expect(rows).toEqual([{ half: null }]);
    writeFileSync(join(folder, '9000_broken.sql'), 'CREATE TABLE half (id int);');
    await migratePostgres(database, testLog, folder);
    expect(await listApplied()).toEqual(files());
  });

  test('an applied file that was changed is refused by name', async () => {
    keepFew();
    await migratePostgres(database, testLog, folder);
    writeFileSync(join(folder, files()[0]!), 'SELECT 1;');
    await expect(migratePostgres(database, testLog, folder)).rejects.toThrow(files()[0]!);
  });

  test('a database that is newer than the program is refused', async () => {
    keepFew();
    const newer = join(folder, '9001_newer.sql');
    writeFileSync(newer, 'SELECT 1;');
    await migratePostgres(database, testLog, folder);
    rmSync(newer);
    await expect(migratePostgres(database, testLog, folder)).rejects.toThrow(
      /newer than this program.*9001_newer/,
    );
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
    await migrateClickhouse(database, testLog, folder);
    await migrateClickhouse(database, testLog, folder);
    expect(await listApplied()).toEqual(files());
    expect(files().length).toBeGreaterThan(0);
  });

  testInFull('programs that start together do no harm', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrateClickhouse(database, testLog, folder)));
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that was interrupted runs again', async () => {
    keepFew();
    const statements = [
      "-- A semicolon within a line is part of a statement;\nCREATE TABLE IF NOT EXISTS a (text String DEFAULT ';') ENGINE = MergeTree ORDER BY text;",
      'SELECT nonsense;',
    ];
    writeFileSync(join(folder, '9000_broken.sql'), statements.join('\n'));
    await expect(migrateClickhouse(database, testLog, folder)).rejects.toThrow('nonsense');
    expect(await listApplied()).toEqual(files().slice(0, -1));
    writeFileSync(join(folder, '9000_broken.sql'), statements[0]!);
    await migrateClickhouse(database, testLog, folder);
    expect(await listApplied()).toEqual(files());
  });

  test('a migration that was interrupted goes on after its last finished statement, unless events came in between', async () => {
    await migrateClickhouse(database, testLog, folder);
    const first = ['CREATE TABLE IF NOT EXISTS log (step String) ENGINE = MergeTree ORDER BY step;'];
    first.push("INSERT INTO log VALUES ('first');");
    writeFileSync(
      join(folder, '9000_long.sql'),
      [...first, "INSERT INTO log SELECT 'second' FROM later;", "INSERT INTO log VALUES ('third');"].join(
        '\n',
      ),
    );
    const interrupted = () =>
      expect(migrateClickhouse(database, testLog, folder, 0)).rejects.toThrow('later');
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
    await migrateClickhouse(database, testLog, folder, 0);
    expect(await steps()).toEqual(['first', 'first', 'second', 'third']);
    expect(await listApplied()).toEqual(files());
  });

  test('an applied file that was changed is refused by name', async () => {
    keepFew();
    await migrateClickhouse(database, testLog, folder);
    writeFileSync(join(folder, files()[0]!), 'SELECT 1;');
    await expect(migrateClickhouse(database, testLog, folder)).rejects.toThrow(files()[0]!);
  });

  test('a database that is newer than the program is refused', async () => {
    keepFew();
    const newer = join(folder, '9001_newer.sql');
    writeFileSync(newer, 'SELECT 1;');
    await migrateClickhouse(database, testLog, folder);
    rmSync(newer);
    await expect(migrateClickhouse(database, testLog, folder)).rejects.toThrow(
      /newer than this program.*9001_newer/,
    );
  });
});
