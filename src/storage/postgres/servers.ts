import pg from 'pg';
import { messageOf, unavailable } from '#lib/errors.ts';
import { type PostgresAddress, type PostgresHost, parsePostgresAddress } from '#lib/postgres-address.ts';

/** A server that does not answer within this is passed over. Below the time that a pool waits for a connection. */
const PROBE_MS_MAX = 3_000;

/** Which of several servers can be written to: found by asking all of them, and kept until a connection to it breaks. */
export class PostgresServers {
  readonly #address: PostgresAddress;
  #current: PostgresHost | null = null;
  #choosing: Promise<PostgresHost> | null = null;

  private constructor(address: PostgresAddress) {
    this.#address = address;
  }

  /** null when there is nothing to choose: one server, whatever it is. */
  static of(url: string): PostgresServers | null {
    const address = parsePostgresAddress(url);
    return address.hosts.length === 0 || address.wants === 'any' ? null : new PostgresServers(address);
  }

  /** Throws ErrataError `unavailable` when none can be written to. */
  choose(): Promise<PostgresHost> {
    if (this.#current) return Promise.resolve(this.#current);
    this.#choosing ??= this.#ask().finally(() => {
      this.#choosing = null;
    });
    return this.#choosing;
  }

  /** After a connection to it broke, or it turned out to be read-only: the next one is chosen anew. */
  forget(host: PostgresHost): void {
    if (this.#current === host) this.#current = null;
  }

  async #ask(): Promise<PostgresHost> {
    const { hosts, wants } = this.#address;
    const asked = hosts.map((host) => probe(this.#address, host));
    try {
      this.#current = await Promise.any(asked);
      return this.#current;
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(
        (reason, index) => `${hosts[index]?.host}:${hosts[index]?.port}: ${messageOf(reason)}`,
      );
      throw unavailable(
        `No PostgreSQL server of the URL is ${wants === 'primary' ? 'a primary' : 'writable'} (${reasons.join('; ')})`,
        error,
      );
    }
  }
}

/** Leads the client, which has not connected yet, to the server. */
export function leadTo(client: pg.Client, { host, port }: PostgresHost): void {
  Object.assign(client, { host, port });
}

/** What a server says of itself to everyone who connects, since PostgreSQL 14. */
const REPORTED: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** Listens to what the server says while the client connects; then answers why it cannot be written to, or null. */
export function watchFitness(client: pg.Client): () => string | null {
  const said = new Map<string, string>();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
      if (REPORTED.has(parameterName)) said.set(parameterName, parameterValue);
    },
  );
  // A pooler reports neither, and leads to whom its own settings name.
  return () => {
    if (said.get('in_hot_standby') === 'on') return 'is a standby';
    return said.get('default_transaction_read_only') === 'on' ? 'is read-only' : null;
  };
}

async function probe({ url }: PostgresAddress, host: PostgresHost): Promise<PostgresHost> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS_MAX,
    application_name: 'errata',
  });
  client.on('error', () => {});
  leadTo(client, host);
  const findFault = watchFitness(client);
  try {
    await client.connect();
    const fault = findFault();
    if (fault !== null) throw new Error(fault);
    return host;
  } finally {
    void client.end().catch(() => {});
  }
}
