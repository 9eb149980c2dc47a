import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { affectedRows, query } from './query.ts';
import type { Database } from './schema.ts';

const at = new Date(1_700_000_000_000);

/** Answers one row to every statement. */
class OneRowDriver extends DummyDriver {
  override async acquireConnection() {
    return {
      executeQuery: async <Result>() => ({
        rows: [{ short_id: 'WEB-1', seen_at: at, gone_at: null, data: { first_name: 'Ada' } } as Result],
        numAffectedRows: 2n,
      }),
      streamQuery: () => (async function* () {})(),
    };
  }
}

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new OneRowDriver(),
    createIntrospector: (each) => new PostgresIntrospector(each),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test('columns are in camel case, timestamps milliseconds, and JSON as it is', async () => {
  const expected = { shortId: 'WEB-1', seenAt: at.getTime(), goneAt: null, data: { first_name: 'Ada' } };
  expect(await query`SELECT`.execute(db)).toEqual([expected]);
  expect(await query`SELECT`.first(db)).toEqual(expected);
  expect(await affectedRows`UPDATE`.execute(db)).toBe(2);
});
