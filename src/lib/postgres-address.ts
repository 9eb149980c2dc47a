/** A server that a URL names. */
export type PostgresHost = { host: string; port: number };

const WRITABLE = ['any', 'read-write', 'primary'] as const;
type WantedServer = (typeof WRITABLE)[number];

/** What a URL of PostgreSQL leads to. */
export type PostgresAddress = {
  /** In the order of the URL; empty when it names none, as for a socket in a folder. */
  hosts: readonly PostgresHost[];
  /** What is asked of a server before it is used; with several hosts always one that can be written to. */
  wants: WantedServer;
  /** With one host only, the first, for a client that knows no list. */
  url: string;
};

const DEFAULT_PORT = 5432;
const HOSTS_MAX = 16;
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

/**
 * `postgres://user:password@host:5432/database`, and as libpq has it: several hosts by commas and
 * `target_session_attrs`. Throws Error for everything else, in words for people, without the password.
 * Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const [, scheme = '', user = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  const names = list.split(',');
  if (names.length > HOSTS_MAX) throw new Error(`more than ${HOSTS_MAX} hosts`);
  const first = URL.parse(`${scheme}${user}${names[0] ?? ''}${rest}`);
  if (scheme === '' || !first) {
    throw new Error('not a PostgreSQL URL: use postgres://user:password@host:5432/database');
  }
  const attribute = first.searchParams.get('target_session_attrs');
  const wants = readWanted(attribute, names.length > 1);
  if (names.length === 1) {
    const host = asHost(names[0] ?? '');
    return { hosts: host ? [host] : [], wants, url: text };
  }
  first.searchParams.delete('target_session_attrs');
  return { hosts: names.map(needHost), wants, url: first.href };
}

function needHost(name: string): PostgresHost {
  const host = asHost(name);
  if (!host) throw new Error(`"${name.slice(0, 200)}" is not host:port`);
  return host;
}

/** null for what is no host and port: the path of a socket, or nothing. */
function asHost(name: string): PostgresHost | null {
  const match = HOST.exec(name);
  if (!match) return null;
  const port = match[1] === undefined ? DEFAULT_PORT : Number(match[1]);
  if (!(port > 0 && port < 65_536)) throw new Error(`"${name}" has no valid port`);
  return { host: name.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'), port };
}

function readWanted(text: string | null, hasSeveral: boolean): WantedServer {
  if (text === null) return hasSeveral ? 'read-write' : 'any';
  const wanted = WRITABLE.find((each) => each === text);
  if (wanted === undefined) {
    throw new Error(
      `target_session_attrs "${text.slice(0, 100)}" is not supported: use ${WRITABLE.join(', ')}`,
    );
  }
  return hasSeveral && wanted === 'any' ? 'read-write' : wanted;
}
