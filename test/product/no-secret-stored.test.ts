import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { BodySampler } from '#ingest/body-sampler.ts';
import { readClientReport } from '#ingest/client-report.ts';
import { DetectionBudget } from '#ingest/detection-budget.ts';
import { type DigestDeps, prepareBatch, storeBatch } from '#ingest/digest-batch.ts';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { encodeRecord, type IngestRecord, type RecordItem } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { STORED_TYPES } from '#pipeline/digest-envelope.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { MONITOR_FAILURE_ITEM } from '#pipeline/monitor-failures/digest-monitor-failure.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { createMigratedClickhouse } from '../contract/engines.ts';
import { openPostgresStores } from '../contract/postgres-stores.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { Planter } from '../harness/planted-secrets.ts';
import { SECRET_RECORDS } from '../harness/secret-items.ts';

/** In each round every place holds a secret of another form; after as many as there are forms each had all of them. */
const ROUNDS = IS_FULL ? 22 : 1;
const BLOB_BYTES_MAX = 8 * 1024 * 1024;

let relational: Awaited<ReturnType<typeof openPostgresStores>>;
let clickhouse: ReturnType<typeof createMigratedClickhouse>;
let folder: string;
let blobs: BlobStore;
let recentIds: ReturnType<typeof openRecentIds>;
let deps: DigestDeps;
let origin: Pick<IngestRecord, 'organizationId' | 'projectId' | 'keyId'>;
let position = 0;

beforeAll(async () => {
  relational = await openPostgresStores({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
  clickhouse = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
  folder = mkdtempSync(path.join(tmpdir(), 'errata-secrets-'));
  blobs = openDiskBlobStore(path.join(folder, 'blobs'));
  recentIds = openRecentIds(folder);
  const slug = `o-${randomBytes(4).toString('hex')}`;
  const { id: organizationId } = await relational.projects.createOrganization({ slug, name: slug });
  const made = { organizationId, slug: 'web', name: 'web', platform: null, isInternal: false };
  const { project, key } = await relational.projects.createProject(made);
  origin = { organizationId, projectId: project.id, keyId: key.id };
  const rules = compileIngestRules({ ...DEFAULT_INGEST_SETTINGS, filters: NO_FILTERS });
  deps = {
    events: createEventStore(clickhouse),
    telemetry: createTelemetryStore(clickhouse),
    blobs,
    rules: { find: () => rules },
    bodies: new BodySampler(),
    detection: new DetectionBudget(),
    lookUpGeo: () => null,
    readAhead: createReadAhead(blobs, { find: () => rules }),
    digest: createDigestStore(relational.database.db),
    recentIds,
    faults: parseFaultPoints(null),
    now: Date.now,
  };
});
afterAll(async () => {
  await Promise.all([relational?.database.drop(), clickhouse?.drop(), recentIds?.close()]);
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Through the real digest into the real stores; answers what was accepted, and everything else. */
async function digest(record: Partial<IngestRecord>) {
  const pieces = encodeRecord({
    ...origin,
    receivedAtMs: Date.now(),
    sentAtMs: null,
    eventId: null,
    clientIp: '198.51.100.4',
    userAgent: null,
    isReplay: false,
    items: [],
    outcomes: [],
    ...record,
  });
  position += 1;
  const spooled = { position, bytes: Buffer.concat(pieces) };
  const batch = await prepareBatch(deps, 'spool', position - 1, [spooled]);
  await storeBatch(deps, batch);
  return batch.outcomes;
}

/** As the edge does with a body that is too large for the spool. */
async function inBlob(item: RecordItem): Promise<RecordItem> {
  const key = blobKey(Date.now(), origin.projectId, randomBytes(16).toString('hex'));
  await blobs.put(key, item.payload);
  const facts = { ...item.facts, blob: { key, bytes: item.payload.length } };
  return { ...item, payload: new Uint8Array(), facts };
}
const BLOB_TYPES = new Set(['attachment', 'replay_recording', 'replay_video', 'profile', 'profile_chunk']);

async function dumpClickhouse(): Promise<string> {
  const tables = await clickhouse.query<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
    {},
  );
  const dumps = tables.map(async ({ name }) =>
    JSON.stringify(await clickhouse.query(`SELECT * FROM \`${name}\``, {})),
  );
  return (await Promise.all(dumps)).join('\n');
}

async function dumpPostgres(): Promise<string> {
  const { pool } = relational.database;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const dumps: string[] = [];
  for (const { name } of rows) {
    const all = await pool.query<{ text: string }>(`SELECT to_jsonb(t)::text AS text FROM "${name}" t`);
    dumps.push(...all.rows.map(({ text }) => text));
  }
  return dumps.join('\n');
}

/** Every blob as the store gives it back, with what lies compressed in it. */
async function dumpBlobs(): Promise<string> {
  const root = path.join(folder, 'blobs');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts: string[] = [];
  for (const file of files) {
    const key = path.relative(root, path.join(file.parentPath, file.name)).replace(/\+z$/, '');
    const bytes = await blobs.readWhole(key, BLOB_BYTES_MAX);
    if (bytes === null) throw new Error(`No blob was read of ${key}`);
    texts.push(bytes.toString('latin1'), bytes.toString('utf16le'));
    const line = bytes.indexOf(0x0a);
    for (const packed of [bytes, bytes.subarray(line + 1)]) {
      if (isZlib(packed)) texts.push(inflateSync(packed).toString());
    }
  }
  expect(texts.length).toBeGreaterThan(0);
  return texts.join('\n');
}

/** By its two bytes of header. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length > 2 && bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0;

test('every type that a program can send has a generator', () => {
  const sent = STORED_TYPES.filter((type) => type !== MONITOR_FAILURE_ITEM);
  expect(Object.keys(SECRET_RECORDS).sort()).toEqual(sent.sort());
});

describe('secrets in every place of every item', () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => round))('are stored nowhere (%i)', async (round) => {
    const planter = new Planter(round * 7);
    for (const [type, make] of Object.entries(SECRET_RECORDS)) {
      for (const isLarge of [false, true]) {
        const { eventId, items, counts } = make(planter, Date.now());
        if (isLarge && !items.some((item) => BLOB_TYPES.has(item.type))) continue;
        const stored = isLarge
          ? await Promise.all(items.map((item) => (BLOB_TYPES.has(item.type) ? inBlob(item) : item)))
          : items;
        const outcomes = await digest({ eventId, items: stored });
        const accepted = outcomes
          .filter(({ outcome }) => outcome === 'accepted')
          .map(({ category }) => category);
        const refused = outcomes.filter(({ outcome }) => outcome !== 'accepted');
        expect({ type, refused }).toEqual({ type, refused: [] });
        expect(accepted, type).toEqual(expect.arrayContaining([...counts]));
      }
    }
    const report = {
      discarded_events: [{ reason: planter.known('report'), category: 'error', quantity: 1 }],
    };
    await digest({ outcomes: readClientReport(Buffer.from(JSON.stringify(report))) });

    const relationalDump = await dumpPostgres();
    expect(relationalDump).toContain('performance_slow_db_query');
    expect.soft(planter.findIn(relationalDump)).toEqual([]);
    expect.soft(planter.findIn(await dumpClickhouse())).toEqual([]);
    expect.soft(planter.findIn(await dumpBlobs())).toEqual([]);
  });
});
