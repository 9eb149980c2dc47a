import pg from 'pg';
import { invalid, messageOf, unavailable } from '#lib/errors.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** Of one page of rows; the tables of others may lack the index that would make it quick. */
const STATEMENT_TIMEOUT_MS = 10 * MINUTE_MS;
const BIGINT_OID = 20;

/** Throws Invalid for an address that is none, and ErrataError 'unavailable' when nothing answers there. */
export async function openForeignPostgres(address: string): Promise<ForeignDatabase> {
  const url = URL.parse(address);
  if (!url)
    throw invalid('The address of the database is not valid: use postgres://user@host/name', 'database');
  // The name and the host, without what signs in.
  const place = `${url.host}${url.pathname}`;
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'errata import',
    // Whatever a statement says, it changes nothing.
    options: '-c default_transaction_read_only=on -c timezone=UTC',
    types: { getTypeParser },
  });
  // A connection that breaks while idle is told by the next statement.
  client.on('error', () => {});
  const asking = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    try {
      return await ask();
    } catch (error) {
      throw unavailable(`The database ${place} failed: ${messageOf(error)}`, error);
    }
  };
  await asking(() => client.connect());
  return {
    kind: 'postgres',
    place,
    columns: (table) =>
      asking(async () => {
        const { rows } = await client.query<{ column_name: string }>(
          'SELECT column_name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) AND table_name = $1',
          [table],
        );
        return new Set(rows.map((row) => row.column_name));
      }),
    rows: (statement, parameters) =>
      asking(async () => (await client.query<ForeignRow>(statement, [...parameters])).rows),
    close: () => client.end(),
  };
}

/** IDs of others are below 2^53, as those of DSNs have to be. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format);
