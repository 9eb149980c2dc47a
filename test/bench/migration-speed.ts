/**
 * How fast migrations go through stored rows, for the estimates of `errata upgrade --check`:
 * `node bin/run-built.mjs --unbuilt test/bench/migration-speed.ts`, with ERRATA_BENCH_EVENTS and ERRATA_BENCH_ISSUES.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '#lib/log.ts';
import { MIGRATIONS_FOLDER as CLICKHOUSE_FOLDER, migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { readClickhouseSchema } from '#storage/clickhouse/schema-state.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { migratePostgres, MIGRATIONS_FOLDER as POSTGRES_FOLDER } from '#storage/postgres/migrate.ts';
import { readPostgresSchema } from '#storage/postgres/schema-state.ts';
import { parseConfig } from '../../src/config.ts';
import { startEmbeddedStores } from '../../src/main/start-embedded-stores.ts';

const EVENTS = Number(process.env.ERRATA_BENCH_EVENTS ?? 20_000);
/** Events of one insert. */
const BATCH = 2_000;
const ISSUES = Number(process.env.ERRATA_BENCH_ISSUES ?? 20_000);

const log = createLog('bench', 'error');
const work = mkdtempSync(path.join(tmpdir(), 'errata-migration-speed-'));
const stores = await startEmbeddedStores(parseConfig({ ERRATA_DATA_DIR: path.join(work, 'data') }), log);
const postgres = openPostgres(stores.databaseUrl, { poolMax: 2 });
const clickhouse = openClickhouse(stores.clickhouseUrl);
try {
  await clickhouseSpeed();
  await postgresSpeed();
} finally {
  await Promise.all([postgres.close(), clickhouse.close()]);
  await stores.stop();
  rmSync(work, { recursive: true });
}

/** The migrations up to a number, in a folder of their own. */
function upTo(folder: string, last: number): string {
  const own = mkdtempSync(path.join(work, 'migrations-'));
  for (const name of readdirSync(folder)) {
    if (Number(name.slice(0, 4)) <= last) cpSync(path.join(folder, name), path.join(own, name));
  }
  return own;
}

async function clickhouseSpeed(): Promise<void> {
  await migrateClickhouse(clickhouse, log, { folder: upTo(CLICKHOUSE_FOLDER, 2) });
  for (let from = 0; from < EVENTS; from += BATCH) await insertEvents(from);
  for (const last of [3, 5, 6, 8]) {
    const folder = upTo(CLICKHOUSE_FOLDER, last);
    const { pending } = await readClickhouseSchema(clickhouse, { folder });
    await timed(pending, () => migrateClickhouse(clickhouse, log, { folder }));
  }
}

async function insertEvents(from: number): Promise<void> {
  await clickhouse.write(
    `INSERT INTO events (organization_id, project_id, key_id, event_id, grouping_hash, type, level, platform, occurred_at,
       received_at, title, culprit, message, metadata, release, environment, user_id, tags, payload)
     SELECT 1, 1, 1, lower(hex(MD5(toString(number)))), lower(hex(MD5(toString(number % 500)))), 'error', 'error', 'javascript',
       now64(3) - number % 2000000, now64(3), concat('TypeError: ', toString(number % 500)), 'checkout', 'message', '{}',
       concat('shop@', toString(number % 20)), 'production', toString(number % 5000), map('cart', toString(number % 50)),
       concat('{"exception":{"values":[{"type":"TypeError","value":"', toString(number % 500), '","stacktrace":{"frames":[',
         arrayStringConcat(arrayMap(i -> concat('{"function":"f', toString(cityHash64(number, i) % 2000), '","filename":"app/',
           toString(i), '.js","lineno":', toString(cityHash64(i, number) % 900), ',"context_line":"', hex(cityHash64(number, i, 1)),
           hex(cityHash64(number, i, 2)), '"}'), range(25)), ','), ']}}]}}')
     FROM numbers(${from}, ${BATCH}) SETTINGS max_threads = 1, max_block_size = 1000`,
    {},
  );
}

async function postgresSpeed(): Promise<void> {
  await migratePostgres(postgres, log, { folder: upTo(POSTGRES_FOLDER, 4) });
  await postgres.pool.query(
    `INSERT INTO organizations (slug, name) VALUES ('main', 'Main');
     INSERT INTO projects (organization_id, slug, name, platform) VALUES (1, 'web', 'Web', 'javascript');
     INSERT INTO issues (organization_id, project_id, short_id, title, culprit, level, platform, type, metadata, status, substatus,
       resolved_at, priority, first_seen, last_seen, times_seen)
     SELECT 1, 1, 'WEB-' || n, 'TypeError: ' || n, 'checkout', 'error', 'javascript', 'error', '{"type":"TypeError"}',
       CASE WHEN n % 2 = 0 THEN 'resolved' ELSE 'unresolved' END, CASE WHEN n % 2 = 0 THEN NULL ELSE 'ongoing' END,
       CASE WHEN n % 2 = 0 THEN now() END, 'high', now(), now(), n
     FROM generate_series(1, ${ISSUES}) n;
     INSERT INTO grouping_hashes (project_id, hash, issue_id) SELECT 1, md5(id::text), id FROM issues;
     ANALYZE`,
  );
  for (const last of [5, 7, 8, 12]) {
    const folder = upTo(POSTGRES_FOLDER, last);
    const { pending } = await readPostgresSchema(postgres, { folder });
    await timed(pending, () => migratePostgres(postgres, log, { folder }));
  }
}

type Pending = Awaited<ReturnType<typeof readPostgresSchema>>['pending'];

async function timed(pending: Pending, migrate: () => Promise<void>): Promise<void> {
  const begunAt = performance.now();
  await migrate();
  const seconds = (performance.now() - begunAt) / 1_000;
  const read = pending.reduce((sum, { bytes, facts }) => sum + bytes * (facts.cost?.passes ?? 0), 0);
  const names = pending.map(({ name }) => name).join(', ');
  process.stdout.write(
    `${names}: ${seconds.toFixed(2)} s, ${(read / 1e6).toFixed(1)} MB gone through, ${(read / 1e6 / seconds).toFixed(1)} MB/s\n`,
  );
}
