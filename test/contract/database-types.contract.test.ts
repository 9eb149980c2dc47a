import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMigratedPostgres, describeOnPostgres } from './engines.ts';
import { writeDatabaseTypes } from './write-database-types.ts';

const FILE = join(import.meta.dirname, '../../src/storage/sql/tables.ts');

describeOnPostgres('The types of the database', (engine) => {
  let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
  beforeAll(async () => {
    database = await createMigratedPostgres(engine);
  });
  afterAll(async () => {
    await database?.drop();
  });

  test('are those of the migrated schema; `npm run db:types` writes them', async () => {
    await expect(await writeDatabaseTypes(database.pool)).toMatchFileSnapshot(FILE);
  });
});
