import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { SEARCH_COLUMNS } from '#storage/clickhouse/search/search-columns.ts';
import { ROOT } from '../harness/start-errata.ts';

const DAYS = 14;
/** Rows of one insert: what the engine can hold beside its work. */
const CHUNK_EVENTS = 5_000;
const TRIES_MAX = 10;

/**
 * Copies the events that are stored over the last fourteen days until there are about as many as wanted: other ids, times
 * users, environments, browsers and customers, the same issues. Straight in the store, since a million events take a while the usual way.
 */
export async function multiplyEvents(
  dataDir: string,
  wanted: number,
  print: (line: string) => void,
): Promise<void> {
  const database = openOf(dataDir);
  const seeds = await count(database);
  await database.command(
    'CREATE TABLE IF NOT EXISTS bench_seed ENGINE = MergeTree ORDER BY event_id AS SELECT * FROM events',
  );
  const copies = Math.ceil((wanted - seeds) / seeds / DAYS);
  const perInsert = Math.max(1, Math.floor(CHUNK_EVENTS / seeds));
  for (let day = 0; day < DAYS; day++) {
    for (let copy = 0; copy < copies; copy += perInsert) {
      await insertCopies(database, day, copy, Math.min(perInsert, copies - copy));
    }
    print(`preloading: day ${day + 1} of ${DAYS}`);
  }
  await fillIndexes(database);
  await database.command('DROP TABLE bench_seed');
  await database.close();
}

export async function countStoredEvents(dataDir: string): Promise<number> {
  const database = openOf(dataDir);
  const events = await count(database);
  await database.close();
  return events;
}

async function insertCopies(
  database: ClickhouseDatabase,
  day: number,
  from: number,
  copies: number,
): Promise<void> {
  await trying(() =>
    database.command(
      `INSERT INTO events (${COLUMNS})
       SELECT ${COLUMNS} FROM (
         SELECT * REPLACE (
           lower(hex(sipHash128(event_id, n, ${day}))) AS event_id,
           received_at - toIntervalDay(${day}) - toIntervalMillisecond(chance % 80000000) AS occurred_at,
           received_at - toIntervalDay(${day}) AS received_at,
           toString(chance % 5000) AS user_id,
           concat('user', toString(chance % 5000), '@example.com') AS user_email,
           if(sipHash64(grouping_hash) % 3 = 0, environment,
             arrayElement(['production', 'production', 'production', 'staging', 'development'], 1 + chance % 5)) AS environment,
           mapUpdate(tags, CAST(map(
             'environment', toString(environment),
             'customer', concat('customer ', toString(chance % 1000)),
             'browser.name', if(sipHash64(grouping_hash) % 2 = 0, tags['browser.name'],
               arrayElement(['Chrome', 'Firefox', 'Safari', 'Edge'], 1 + intDiv(chance, 7) % 4))
           ), 'Map(LowCardinality(String), String)')) AS tags)
         FROM (SELECT *, sipHash64(event_id, n, ${day}) AS chance FROM bench_seed CROSS JOIN (SELECT ${from} + number AS n FROM system.numbers LIMIT ${copies}) AS counter))
       SETTINGS max_threads = 1, max_block_size = 64, max_insert_block_size = ${CHUNK_EVENTS}`,
    ),
  );
}

const COLUMNS = `organization_id, project_id, key_id, event_id, grouping_hash, type, level, platform, occurred_at,
  received_at, title, culprit, message, metadata, logger, release, dist, environment, transaction, trace_id, user_id,
  user_email, user_username, user_ip, sdk_name, sdk_version, tags, payload, ${SEARCH_COLUMNS.join(', ')}`;

/** As the migrations do for what was stored before them. */
async function fillIndexes(database: ClickhouseDatabase): Promise<void> {
  const folder = path.join(ROOT, 'src/storage/clickhouse/migrations');
  for (const name of ['0006_event_values.sql', '0008_event_index_names.sql']) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const statements = text.slice(text.indexOf('INSERT INTO')).split(/;\s*$/m);
    for (const statement of statements) {
      if (statement.trim() !== '') await trying(() => database.write(statement, {}));
    }
  }
}

/** The engine's memory is bounded: while it merges, an insert may have to wait. */
async function trying(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function count(database: ClickhouseDatabase): Promise<number> {
  const [row] = await database.query<{ events: number }>('SELECT count() AS events FROM events', {});
  return row?.events ?? 0;
}

function openOf(dataDir: string): ClickhouseDatabase {
  const runtime = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  return openClickhouse(runtime.clickhouseUrl);
}
