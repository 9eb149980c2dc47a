import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnoseClickhouse } from '#storage/clickhouse/diagnose.ts';
import { diagnosePostgres } from '#storage/postgres/diagnose.ts';
import {
  createMigratedClickhouse,
  createMigratedPostgres,
  describeOnClickhouseServer,
  describeOnPostgres,
} from './engines.ts';

const CLOCK_MS_MAX = 60_000;

describeOnPostgres('Diagnosis', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(() => database?.drop());

  test('says its version and its time, and names indexes that broke off', async () => {
    const well = await diagnosePostgres(database);
    expect(well).toMatchObject({ name: 'PostgreSQL', version: expect.stringMatching(/^\d+/), problems: [] });
    expect(Math.abs(well.nowMs - Date.now())).toBeLessThan(CLOCK_MS_MAX);
    await database.pool.query('CREATE TABLE twice AS SELECT 1 AS value FROM generate_series(1, 2)');
    // What a build of an index leaves behind that fails.
    await expect(
      database.pool.query('CREATE UNIQUE INDEX CONCURRENTLY twice_value ON twice (value)'),
    ).rejects.toThrow();
    expect((await diagnosePostgres(database)).problems).toEqual([
      {
        detail: 'The index twice_value is invalid and is not used',
        next: expect.stringContaining('REINDEX'),
      },
    ]);
  });
});

describeOnClickhouseServer('Diagnosis', (engine) => {
  let database: ReturnType<typeof createMigratedClickhouse>;
  beforeAll(() => {
    database = createMigratedClickhouse(engine);
  });
  afterAll(() => database?.drop());

  test('says its version and its time, and names changes that fail', async () => {
    const well = await diagnoseClickhouse(database);
    expect(well).toMatchObject({
      name: 'ClickHouse',
      version: expect.stringMatching(/^\d+\./),
      problems: [],
    });
    expect(Math.abs(well.nowMs - Date.now())).toBeLessThan(CLOCK_MS_MAX);
    await database.command('CREATE TABLE broken (text String) ENGINE = MergeTree ORDER BY tuple()');
    await database.command("INSERT INTO broken VALUES ('x')");
    // A server may wait for it, and say at once that it failed; it is tried again in either case.
    await database
      .command('ALTER TABLE broken UPDATE text = toString(toUInt8(text)) WHERE 1')
      .catch(() => {});
    await expect
      .poll(async () => (await diagnoseClickhouse(database)).problems)
      .toEqual([
        { detail: expect.stringMatching(/^A change of the table broken fails: /), next: expect.any(String) },
      ]);
    await database.command('DROP TABLE broken SYNC');
  });
});
