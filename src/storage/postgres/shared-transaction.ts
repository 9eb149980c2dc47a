import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

/** Runs the work in one transaction, whatever stores it calls; all of it is undone when it throws. */
export type Transact = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** How long a query may wait for another one of the same transaction. */
const TURN_MS_MAX = 20_000;

/** A transaction that everything called within shares; its one connection is used in turns. */
type Shared = { client: PoolClient; lastTurn: Promise<void>; isOver: boolean };

/**
 * Makes whoever takes a connection of the pool within `transact` get the connection of that transaction, so that verbs
 * can join what several stores write. Transactions within become savepoints.
 */
export function shareTransactions(pool: Pool): Transact {
  const storage = new AsyncLocalStorage<Shared>();
  const current = () => {
    const shared = storage.getStore();
    return shared && !shared.isOver ? shared : null;
  };
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<PoolClient>;
  pool.connect = ((callback?: ConnectCallback) => {
    const shared = current();
    if (!shared) return connect(callback);
    const turn = takeTurn(shared);
    if (!callback) return turn;
    turn.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }) as typeof pool.connect;

  return async (work) => {
    if (current()) return work();
    const client = await connect();
    const shared: Shared = { client, lastTurn: Promise.resolve(), isOver: false };
    try {
      await client.query('BEGIN');
      const result = await storage.run(shared, work);
      await shared.lastTurn;
      shared.isOver = true;
      const { command } = await client.query('COMMIT');
      // A failed statement whose error was caught leaves nothing to commit, and PostgreSQL says so only here.
      if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, and it went on');
      client.release();
      return result;
    } catch (error) {
      shared.isOver = true;
      await shared.lastTurn;
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  };
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: () => void,
) => void;

async function takeTurn(shared: Shared): Promise<PoolClient> {
  const before = shared.lastTurn;
  let end = () => {};
  shared.lastTurn = new Promise((resolve) => {
    end = resolve;
  });
  try {
    await withinTime(before);
  } catch (error) {
    end();
    throw error;
  }
  return asNested(shared.client, end);
}

/** A store that asks for a second connection while it holds the first would wait for itself. */
async function withinTime(turn: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('A query waited too long for one of its own transaction')),
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
