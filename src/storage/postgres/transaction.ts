import { Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { ConnectionPool, Connections, Transactional } from '#storage/sql/connections.ts';
import type { Database } from '#storage/sql/schema.ts';

/** How long a query may wait for another query of the same transaction. */
const TURN_MS_MAX = 20_000;

/**
 * Runs the work in one transaction; all of it is undone when it throws. Only what goes through the connections handed to
 * `work` belongs to it. A transaction within becomes a savepoint. Throws when a statement failed and the work went on.
 */
export async function inTransaction<Result>(
  pool: ConnectionPool,
  work: (within: Connections) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const turns = new Turns(client);
    let result: Result;
    try {
      result = await work({
        db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: turns }) }),
        pool: turns,
      });
    } finally {
      await turns.close();
    }
    const { command } = await client.query('COMMIT');
    // A failed statement whose error was caught leaves nothing to commit, and PostgreSQL says so only here.
    if (command === 'ROLLBACK')
      throw new Error('A statement in the transaction failed, but the transaction continued');
    client.release();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** What `make` makes over the pool, and makes anew over every transaction. */
export function transactional<Held>(
  connections: Connections,
  make: (connections: Connections) => Held,
): Transactional<Held> {
  const within = (transaction: Connections): Transactional<Held> => {
    const stores: Transactional<Held> = { ...make(transaction), inTransaction: (work) => work(stores) };
    return stores;
  };
  return {
    ...make(connections),
    inTransaction: (work) => inTransaction(connections.pool, (transaction) => work(within(transaction))),
  };
}

/** The one connection of a transaction, used in turns; a transaction within is a savepoint. */
class Turns implements ConnectionPool {
  readonly options = {};
  readonly #client: PoolClient;
  #lastTurn: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async connect(): Promise<PoolClient> {
    if (this.#isOver) throw new Error('This transaction has ended: its stores can no longer be used');
    const before = this.#lastTurn;
    let endTurn = () => {};
    this.#lastTurn = new Promise((resolve) => {
      endTurn = resolve;
    });
    try {
      await withinTime(before);
    } catch (error) {
      endTurn();
      throw error;
    }
    return asNested(this.#client, endTurn);
  }

  query: Pool['query'] = (async (...query: unknown[]) => {
    const client = await this.connect();
    try {
      return await (client.query as (...args: unknown[]) => Promise<unknown>)(...query);
    } finally {
      client.release();
    }
  }) as unknown as Pool['query'];

  /** Whoever was handed the connection does not own it. */
  async end(): Promise<void> {}

  /** Waits for what is under way; nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#lastTurn;
  }
}

/** A store that asks for a second connection while it holds the first would wait for itself. */
async function withinTime(turn: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('A query waited too long for another query in its transaction')),
      TURN_MS_MAX,
    );
  });
  try {
    await Promise.race([turn, late]);
  } finally {
    clearTimeout(timer);
  }
}

const SAVEPOINTS: Readonly<Record<string, string>> = {
  begin: 'SAVEPOINT nested',
  commit: 'RELEASE SAVEPOINT nested',
  rollback: 'ROLLBACK TO SAVEPOINT nested',
};

/** The connection for one turn: letting go of it ends the turn only. */
function asNested(client: PoolClient, endTurn: () => void): PoolClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === 'release') return endTurn;
      if (name === 'query') {
        return (query: unknown, ...rest: unknown[]) => {
          const nested = typeof query === 'string' ? (SAVEPOINTS[query.toLowerCase()] ?? query) : query;
          return (target.query as (...args: unknown[]) => unknown)(nested, ...rest);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
