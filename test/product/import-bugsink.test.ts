import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { TRANSFER_KINDS, TRANSFER_RECORD } from '#product/transfer/records.ts';
import { openBugsinkSource } from '#product/transfer/sources/bugsink/bugsink-source.ts';
import type { ReadOptions, TransferItem } from '#product/transfer/transfer-source.ts';
import { openForeignDatabase } from '#storage/foreign/open-foreign-database.ts';
import { createEmptyPostgres } from '../contract/engines.ts';
import { bugsinkStatements, EVENTS, FILED, uuidOf } from '../harness/bugsink-database.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-bugsink-'));
  opened.push({ close: async () => rmSync(folder, { recursive: true }) });
  return folder;
}

function createSqlite(): string {
  const file = path.join(makeFolder(), 'db.sqlite3');
  const database = new DatabaseSync(file);
  for (const statement of bugsinkStatements('sqlite')) database.exec(statement);
  database.close();
  return file;
}

async function createPostgres(): Promise<string> {
  const { url, drop } = await createEmptyPostgres({ name: 'Bugsink', url: inject('embeddedPostgresUrl') });
  opened.push({ close: drop });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of bugsinkStatements('postgres')) await client.query(statement);
  } finally {
    await client.end();
  }
  return url;
}

async function read(
  address: string,
  { eventStorage = null, ...change }: Partial<ReadOptions> & { eventStorage?: string | null } = {},
): Promise<TransferItem[]> {
  const database = await openForeignDatabase(address);
  opened.push(database);
  const source = await openBugsinkSource(database, { eventStorage });
  const items: TransferItem[] = [];
  for await (const item of source.read({
    kinds: new Set(TRANSFER_KINDS),
    fromMs: 0,
    toMs: Number.MAX_SAFE_INTEGER,
    projects: null,
    after: null,
    listImported: async () => new Set(),
    progress: () => {},
    signal: new AbortController().signal,
    ...change,
  })) {
    if (item.kind !== 'checkpoint' && item.kind !== 'malformed') TRANSFER_RECORD.parse(item);
    items.push(item);
  }
  return items;
}

const of = <Kind extends TransferItem['kind']>(items: readonly TransferItem[], kind: Kind) =>
  items.filter((item): item is Extract<TransferItem, { kind: Kind }> => item.kind === kind);

test('SQLite and PostgreSQL give the same records', async () => {
  const items = await read(createSqlite());
  const records = items.filter(({ kind }) => kind !== 'checkpoint');
  const others = (await read(await createPostgres())).filter(({ kind }) => kind !== 'checkpoint');
  expect(others).toEqual(records);

  expect(of(items, 'member').map(({ email, role }) => [email, role])).toEqual([
    ['root@acme.example', 'owner'],
    ['ada@acme.example', 'admin'],
  ]);
  expect(of(items, 'team')).toMatchObject([{ slug: 'back-end', members: ['ada@acme.example'] }]);
  expect(of(items, 'project')).toMatchObject([
    { number: 1, slug: 'web', teams: [uuidOf('team')], keys: [{ publicKey: uuidOf('key') }] },
    { number: 3, slug: 'api', teams: [] },
  ]);
  expect(of(items, 'release').map(({ version, projects }) => [version, projects])).toEqual([
    ['1.0', ['1', '3']],
    ['1.1', ['1']],
  ]);
  expect(of(items, 'event')).toHaveLength(EVENTS + 3);
  const issues = new Map(of(items, 'issue').map((issue) => [issue.id, issue]));
  expect(issues.get(uuidOf('next'))).toMatchObject({
    shortId: 'WEB-1',
    title: 'TypeError: x is undefined',
    status: 'resolved',
    resolution: { kind: 'next_release', after: '1.1' },
    timesSeen: 500,
    counts: [
      { at: '2026-10-01T00:00:00.000Z', minutes: 60, events: 60 },
      { at: '2026-10-01T01:00:00.000Z', minutes: 60, events: 10 },
    ],
    activities: [
      { type: 'first_seen', person: null },
      { type: 'set_resolved', person: { email: 'ada@acme.example', name: 'Ada L' } },
      { type: 'note', data: { text: 'I know this one' } },
    ],
  });
  expect(issues.get(uuidOf('fixed'))?.resolution).toEqual({ kind: 'release', release: '1.1' });
  expect(issues.get(uuidOf('muted'))).toMatchObject({
    type: 'default',
    title: 'hello',
    archive: { kind: 'events', count: 5, windowMinutes: 120 },
  });
  expect(issues.get(uuidOf('until'))?.archive).toMatchObject({ kind: 'date' });
  expect(of(items, 'alert_rule')).toMatchObject([
    {
      project: '1',
      definition: {
        triggers: ['first_seen', 'regression'],
        receivers: [
          { kind: 'owners', otherwise: 'members' },
          { kind: 'destination', service: 'slack', name: '#errors' },
          { kind: 'destination', service: 'webhook', name: 'Ours' },
        ],
      },
    },
  ]);
  expect(of(items, 'unmapped').map(({ of: kind }) => kind)).toEqual([
    'member',
    'member',
    'event',
    'token',
    'project_membership',
  ]);
});

test('reading goes on where an earlier run stopped, on both', async () => {
  for (const address of [createSqlite(), await createPostgres()]) {
    const items = await read(address);
    const middle = of(items, 'checkpoint').find(({ cursor }) => cursor.includes('"event","after":"1|'));
    const rest = await read(address, { after: middle?.cursor ?? '' });
    const ids = of(items, 'event').map(({ id }) => id);
    const restIds = of(rest, 'event').map(({ id }) => id);
    expect(restIds.length).toBeGreaterThan(0);
    expect(restIds.length).toBeLessThan(ids.length);
    expect(ids.slice(-restIds.length)).toEqual(restIds);
    expect(of(rest, 'project')).toHaveLength(2);
  }
});

test('projects and times that were not asked for are left out', async () => {
  const file = createSqlite();
  expect(of(await read(file, { projects: new Set(['api']) }), 'event')).toEqual([]);
  const within = { fromMs: Date.UTC(2026, 9, 1, 0, 10), toMs: Date.UTC(2026, 9, 1, 0, 20) };
  expect(of(await read(file, within), 'event')).toHaveLength(10);
});

test.each([
  ['.json', (text: string) => Buffer.from(text), ''],
  ['.json.gz', gzipSync, FILED.backend],
  ['.json.br', brotliCompressSync, FILED.backend],
] as const)('bodies are read from %s files', async (ending, pack, below) => {
  const file = createSqlite();
  const eventStorage = makeFolder();
  mkdirSync(path.join(eventStorage, below), { recursive: true });
  const name = FILED.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  writeFileSync(path.join(eventStorage, below, `${name}${ending}`), pack('{"message":"from a file"}'));
  const event = of(await read(file, { eventStorage }), 'event').find(({ id }) => id === FILED.eventId);
  expect(event?.payload).toMatchObject({ message: 'from a file', platform: 'node' });
});

const failure = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: unknown) => (isErrataError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

test('what is not a database of Bugsink is refused', async () => {
  const folder = makeFolder();
  expect(await failure(read(path.join(folder, 'absent')))).toMatch(/^invalid: There is no file/);
  writeFileSync(
    path.join(folder, 'text'),
    'no database, but long enough to look like something else'.repeat(20),
  );
  expect(await failure(read(path.join(folder, 'text')))).toMatch(
    /^invalid: .*cannot be read as a database of SQLite/,
  );
  expect(await failure(read('mysql://host/bugsink'))).toMatch(/^invalid: mysql:\/\/ is not supported/);
  const other = path.join(folder, 'other.sqlite3');
  new DatabaseSync(other).exec(
    'CREATE TABLE auth_user (id integer, email text, username text, is_superuser bool, is_active bool)',
  );
  expect(await failure(read(other))).toMatch(
    'is not a database of Bugsink: it has no table projects_project',
  );
  const old = createSqlite();
  new DatabaseSync(old).exec('ALTER TABLE events_event DROP COLUMN storage_backend');
  expect(await failure(read(old))).toMatch(
    'version of Bugsink that is not supported, as events_event has no storage_backend',
  );
});
