import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';

const log = createLog('embedded-engines', 'error');
const SECRET = 'errata-test-secret-that-nobody-may-read';
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'errata-engines-'));
  // The engines run as another user when the tests run as root.
  chmodSync(dataDir, 0o755);
  // Readable for everybody: what keeps the engine from it is not its mode.
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o644 });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the embedded ClickHouse', () => {
  let engine: Awaited<ReturnType<typeof startEmbeddedClickhouse>>;
  let origin: string;
  let credentials: string;
  /** A server that the engine must not reach. */
  let reached = 0;
  const outside = createServer((_request, response) => {
    reached += 1;
    response.end(SECRET);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    engine = await startEmbeddedClickhouse({ dataDir, memoryBytesMax: 700_000_000, log });
    const url = new URL(engine.url);
    origin = url.origin;
    credentials = `Basic ${Buffer.from(`${url.username}:${decodeURIComponent(url.password)}`).toString('base64')}`;
    await run('CREATE DATABASE errata ENGINE = Atomic');
    await run('CREATE TABLE errata.rows (a UInt8) ENGINE = MergeTree ORDER BY a');
    await run('INSERT INTO errata.rows VALUES (7)');
  });
  afterAll(async () => {
    await engine?.stop();
    outside.close();
  });

  async function ask(statement: string, headers: Record<string, string> = {}, path = '/') {
    const response = await fetch(`${origin}${path}`, { method: 'POST', body: statement, headers });
    return { status: response.status, text: await response.text() };
  }
  const asErrata = (statement: string) => ask(statement, { authorization: credentials });
  async function run(statement: string): Promise<string> {
    const { status, text } = await asErrata(statement);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return text;
  }

  test.each([
    ['nobody', {}, '/'],
    ['the engine’s own user', { 'x-clickhouse-user': 'default', 'x-clickhouse-key': '' }, '/'],
    ['the engine’s own user, in the address', {}, '/?user=default&password='],
    ['the engine’s own user, by HTTP Basic', { authorization: `Basic ${btoa('default:')}` }, '/'],
    ['our user with a wrong password', { authorization: `Basic ${btoa('errata:wrong')}` }, '/'],
    ['a page of another origin', { origin: 'https://evil.example' }, '/?add_http_cors_header=1'],
    ['who asks for its pages', {}, '/play'],
    ['who asks for its pages', {}, '/dashboard'],
    ['who only wants to know whether it is there', {}, '/ping'],
  ])('runs no statement of %s', async (_who, headers, path) => {
    const { status, text } = await ask('SELECT 40 + 2', headers as Record<string, string>, path);
    expect(status).toBe(404);
    expect(text).not.toContain('42');
  });

  test('a query has the threads that it may have', async () => {
    const plan = await run(
      'EXPLAIN PIPELINE SELECT uniqExact(number) FROM (SELECT number FROM system.numbers LIMIT 100000000)',
    );
    expect(plan).toContain('Resize 1 → 2');
  });

  test('who has our credentials and asks to be its own user may do less than before', async () => {
    for (const statement of ['SELECT a FROM errata.rows', 'SELECT * FROM system.parts', 'SYSTEM SHUTDOWN']) {
      const { status, text } = await ask(statement, { authorization: credentials }, '/?user=default');
      expect([status, text]).toEqual([500, expect.stringContaining('ACCESS_DENIED')]);
    }
  });

  /** `{secret}`, `{folder}` and `{url}` stand for the file, its folder and the server that must not be reached. */
  const REFUSED = [
    "SELECT * FROM file('{secret}', 'LineAsString')",
    "SELECT * FROM '{secret}'",
    "DESCRIBE TABLE file('{secret}', 'TSV')",
    "INSERT INTO FUNCTION file('{folder}/written', 'TSV', 'a String') VALUES ('x')",
    "CREATE TABLE errata.f (a String) ENGINE = File(TSV, '{secret}')",
    "CREATE TABLE errata.f (a String) ENGINE = FileLog('{folder}', 'TSV')",
    "CREATE TABLE errata.f (a String) ENGINE = Executable('attack.sh', 'TSV')",
    "CREATE DICTIONARY errata.d (id UInt64, v String) PRIMARY KEY id SOURCE(FILE(path '{secret}' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
    "CREATE DICTIONARY errata.d (id UInt64, v String) PRIMARY KEY id SOURCE(EXECUTABLE(command 'attack.sh' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
    "SELECT 1 AS a FORMAT Template SETTINGS format_template_row = '{secret}'",
    "SELECT 1 AS a FORMAT Protobuf SETTINGS format_schema = '{secret}:X'",
    "SELECT * FROM sqlite('{folder}/x.db', 't')",
    "SELECT * FROM executable('cat {secret}', 'TSV', 'a String')",
    "BACKUP DATABASE errata TO File('{folder}/backup')",
    'ALTER TABLE errata.rows FREEZE',
    "ALTER TABLE errata.rows MODIFY SETTING storage_policy = 'other'",
    "ATTACH TABLE errata.stolen FROM '{folder}/' (a UInt8) ENGINE = MergeTree ORDER BY a",
    "CREATE TABLE errata.t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = 'local', path = '{folder}/disk/')",
    "CREATE DATABASE elsewhere ENGINE = Filesystem('{folder}')",
    'CREATE FUNCTION f AS (x) -> x',
    'SYSTEM STOP LISTEN HTTP',
    'SYSTEM SHUTDOWN',
    'SELECT * FROM system.users',
    'SELECT * FROM system.server_settings',
    "SELECT * FROM url('{url}', 'LineAsString')",
    "DESCRIBE TABLE url('{url}', 'TSV')",
    "SELECT * FROM s3('{url}bucket/key', 'LineAsString')",
    "SELECT * FROM remote('{host}', 'system', 'one')",
    "SELECT * FROM postgresql('{host}', 'a', 'b', 'c', 'd')",
    "CREATE TABLE errata.t (a UInt8) ENGINE = URL('{url}', 'TSV')",
    "CREATE DICTIONARY errata.d (id UInt64, v String) PRIMARY KEY id SOURCE(HTTP(url '{url}' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
  ];
  const fill = (statement: string) =>
    statement
      .replaceAll('{secret}', join(dataDir, 'secret'))
      .replaceAll('{folder}', dataDir)
      .replaceAll('{url}', `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`)
      .replaceAll('{host}', `127.0.0.1:${(outside.address() as AddressInfo).port}`);

  test.each(REFUSED)('refuses, from our own account: %s', async (statement) => {
    const { status, text } = await asErrata(fill(statement));
    expect([status >= 400, text]).toEqual([true, expect.not.stringContaining(SECRET)]);
    expect(reached).toBe(0);
  });

  describe('where the kernel confines it', () => {
    beforeEach(({ skip }) => {
      if (!engine.isConfined())
        skip('the kernel has no Landlock: the start warns, and the password alone guards');
    });

    test('reads no file but its own: the function file() asks for no right', async () => {
      for (const path of [join(dataDir, 'secret'), '/etc/passwd', `/proc/${process.pid}/environ`]) {
        const { status, text } = await asErrata(`SELECT file('${path}')`);
        expect([path, status >= 400, text]).toEqual([
          path,
          true,
          expect.stringContaining('Permission denied'),
        ]);
      }
      // A way around by its own folder leads to the same place.
      const { text } = await asErrata(`SELECT file('/proc/self/root${join(dataDir, 'secret')}')`);
      expect(text).not.toContain(SECRET);
    });

    test('runs no program, not even one in its own folder', async () => {
      const scripts = join(dataDir, 'clickhouse/data/user_scripts');
      mkdirSync(scripts, { recursive: true });
      chmodSync(scripts, 0o755);
      writeFileSync(join(scripts, 'attack.sh'), `#!/bin/sh\ncat >/dev/null\necho ${SECRET}\n`, {
        mode: 0o755,
      });
      const { text } = await asErrata("SELECT * FROM executable('attack.sh', 'TSV', 'a String')");
      expect(text).not.toContain(SECRET);
    });

    test('reaches no server, not even for a table that says it lies there', async () => {
      const statement = `CREATE TABLE errata.web (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = 'web', endpoint = '{url}')`;
      await asErrata(fill(statement));
      await asErrata('SELECT * FROM errata.web');
      expect(reached).toBe(0);
    });

    test.skipIf(process.getuid?.() !== 0)('is no process of root', () => {
      expect(userOf(engine.pid)).not.toBe(0);
    });
  });

  test.skipIf(process.getuid?.() !== 0)('owns its data, and nothing that root writes beside it', () => {
    const ownerOf = (...names: string[]) => statSync(join(dataDir, ...names)).uid;
    expect(ownerOf('clickhouse', 'data')).toBe(userOf(engine.pid));
    for (const names of [['clickhouse'], ['clickhouse', 'config.xml'], ['clickhouse', 'users.xml']]) {
      expect([names, ownerOf(...names)]).toEqual([names, 0]);
      expect([names, statSync(join(dataDir, ...names)).mode & 0o026]).toEqual([names, 0]);
    }
  });

  test('goes on with its tables after all that, also when it was killed and started again', async () => {
    expect(await run('SELECT a FROM errata.rows')).toBe('7\n');
    await expect(engine.ask()).resolves.toBeUndefined();
    engine.kill();
    await engine.exited;
    await expect(engine.ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    engine = await startEmbeddedClickhouse({
      dataDir,
      memoryBytesMax: 700_000_000,
      log,
      port: engine.port,
    });
    await run('INSERT INTO errata.rows VALUES (8)');
    expect(await run('SELECT a FROM errata.rows ORDER BY a')).toBe('7\n8\n');
  });
});

describe('the embedded PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  const start = async () => {
    engine = await startEmbeddedPostgres({ dataDir, log });
  };
  beforeAll(start);
  afterAll(() => engine?.stop());

  async function connect(change: (url: URL) => void = () => {}) {
    const url = new URL(engine.url);
    change(url);
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => {});
    await client.connect();
    return client;
  }
  const connectAsAdmin = (database: string) =>
    connect((url) => {
      url.username = 'errata_admin';
      url.password = readFileSync(join(dataDir, 'postgres-admin-password'), 'utf8').trim();
      url.pathname = `/${database}`;
    });

  const expectNoSuperuser = async () => {
    const client = await connect();
    try {
      const { rows } = await client.query(
        'SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = current_user',
      );
      expect(rows).toEqual([
        {
          rolsuper: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolbypassrls: false,
          rolreplication: false,
        },
      ]);
      for (const statement of [
        "COPY (SELECT 1) TO PROGRAM 'id'",
        `CREATE TEMPORARY TABLE lines (line text); COPY lines FROM '${join(dataDir, 'secret')}'`,
        `SELECT pg_read_file('${join(dataDir, 'secret')}')`,
        "SELECT * FROM pg_ls_dir('/')",
        `SELECT lo_import('${join(dataDir, 'secret')}')`,
        "ALTER SYSTEM SET listen_addresses = '*'",
        'SET ROLE errata_admin',
        'CREATE ROLE other SUPERUSER',
        'CREATE EXTENSION file_fdw',
      ]) {
        await expect(client.query(statement), statement).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|0A000|58P01)$/),
        });
      }
    } finally {
      await client.end();
    }
  };

  test('gives our account nothing but its database', expectNoSuperuser);

  test('lets nobody in without a password', async () => {
    for (const user of ['errata', 'errata_admin', 'postgres'])
      for (const password of ['', 'wrong']) {
        const attempt = connect((url) => {
          url.username = user;
          url.password = password;
        });
        await expect(attempt).rejects.toThrow(/password/i);
      }
  });

  test.skipIf(process.getuid?.() !== 0)('is no process of root', () => {
    expect(userOf(engine.pid)).not.toBe(0);
  });

  test('starts after it was killed, though another process of its user has its number by now', async () => {
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const { uid } = statSync(file);
    process.kill(engine.pid, 'SIGKILL');
    await engine.exited;
    const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid }) });
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [String(other.pid), ...rest].join('\n'));
    try {
      await start();
      await (await connect()).end();
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  test('a cluster whose superuser is the application’s role is handed over, with everything in it', async () => {
    await makeClusterOfFormerVersion();
    await engine.stop();
    rmSync(join(dataDir, 'postgres-admin-password'));
    await start();
    await expectNoSuperuser();
    const client = await connect();
    const { rows } = await client.query('SELECT note, mood FROM kept.notes');
    expect(rows).toEqual([{ note: 'before the upgrade', mood: 'calm' }]);
    // The owner of a table may change it, and the next migration does.
    await client.query("ALTER TYPE kept.mood ADD VALUE 'busy'");
    await client.query('ALTER TABLE kept.notes ADD COLUMN more text');
    await client.query('ALTER FUNCTION kept.touch() RENAME TO touched');
    await client.query('INSERT INTO kept.notes (note) VALUES (DEFAULT)');
    await client.query('CREATE TABLE public.another (id integer)');
    await client.query('DROP SCHEMA kept CASCADE');
    await client.end();
    await engine.stop();
    await start();
    await expectNoSuperuser();
  });

  test('a hand-over that was cut off after its first step is finished', async () => {
    await makeClusterOfFormerVersion();
    const former = await connect((url) => {
      url.pathname = '/postgres';
    });
    await former.query("CREATE ROLE errata_handover SUPERUSER LOGIN PASSWORD 'of a start that was killed'");
    await former.end();
    await engine.stop();
    await start();
    await expectNoSuperuser();
    const admin = await connectAsAdmin('postgres');
    const { rows } = await admin.query(
      "SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' ORDER BY rolname",
    );
    expect(rows.map(({ rolname }) => rolname)).toEqual(['errata', 'errata_admin']);
    await admin.end();
  });

  /** The application's role was the one that the cluster was made with, and so a superuser that nothing can demote. */
  async function makeClusterOfFormerVersion(): Promise<void> {
    const admin = await connectAsAdmin('errata');
    await admin.query("CREATE ROLE former SUPERUSER LOGIN PASSWORD 'former'");
    await admin.end();
    const former = await connect((url) => {
      url.username = 'former';
      url.password = 'former';
    });
    const password = former.escapeLiteral(decodeURIComponent(new URL(engine.url).password));
    await former.query('ALTER DATABASE errata OWNER TO errata_admin');
    await former.query('DROP OWNED BY errata CASCADE');
    await former.query('DROP ROLE errata');
    await former.query('ALTER ROLE errata_admin RENAME TO errata');
    await former.query(`ALTER ROLE errata PASSWORD ${password}`);
    await former.end();
    const application = await connect();
    await application.query('DROP ROLE former');
    await application.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE SCHEMA kept;
      CREATE TYPE kept.mood AS ENUM ('calm');
      CREATE FUNCTION kept.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
      CREATE TABLE kept.notes (
        id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, old_id serial,
        note text DEFAULT 'before the upgrade', mood kept.mood DEFAULT 'calm'
      );
      CREATE TABLE kept.days (day date) PARTITION BY RANGE (day);
      CREATE TABLE kept.day PARTITION OF kept.days DEFAULT;
      CREATE VIEW kept.seen AS SELECT note FROM kept.notes;
      CREATE TRIGGER touch BEFORE INSERT ON kept.notes FOR EACH ROW EXECUTE FUNCTION kept.touch();
      CREATE INDEX notes_trigrams ON kept.notes USING gin (note gin_trgm_ops);
      INSERT INTO kept.notes DEFAULT VALUES;
    `);
    await application.end();
  }
});

function userOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
