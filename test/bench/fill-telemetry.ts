import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';

export const FILLED_DAYS = 14;
/** Rows of one insert: what the engine can hold beside its work. */
const CHUNK_ROWS = 200_000;
const SPANS_PER_TRACE = 40;
const TRIES_MAX = 20;
const RETRY_MS = 2_000;

type Filled = { organizationId: number; projectIds: readonly number[] };

/** `numbers` gives each row its number over all days, as `n`. */
type Fill = {
  table: 'spans' | 'logs';
  rows: number;
  select: (at: Filled, day: number, numbers: string) => string;
};

/**
 * Spans, in traces of forty, and log lines of the last fourteen days, as many of each as asked, straight in the store:
 * no two have the same id, time or duration, and ten attributes vary as they do in a real program.
 */
export async function fillTelemetry(
  database: ClickhouseDatabase,
  at: Filled,
  wanted: { spans: number; logs: number },
  print: (line: string) => void,
): Promise<void> {
  await fill(database, at, { table: 'spans', rows: wanted.spans, select: selectSpans }, print);
  await fill(database, at, { table: 'logs', rows: wanted.logs, select: selectLogs }, print);
}

async function fill(
  database: ClickhouseDatabase,
  at: Filled,
  { table, rows, select }: Fill,
  print: (line: string) => void,
): Promise<void> {
  const perDay = Math.ceil(rows / FILLED_DAYS);
  const perChunk = CHUNK_ROWS - (CHUNK_ROWS % SPANS_PER_TRACE);
  for (let day = 0; day < FILLED_DAYS; day++) {
    for (let from = 0; from < perDay; from += perChunk) {
      const count = Math.min(perChunk, perDay - from);
      await trying(() =>
        database.write(
          `INSERT INTO ${table} ${select(at, day, `SELECT ${day * perDay + from} + number AS n FROM system.numbers LIMIT ${count}`)}
           SETTINGS max_threads = 1, max_insert_block_size = ${perChunk}, min_insert_block_size_rows = ${perChunk}`,
          {},
        ),
      );
    }
    print(`${table}: day ${day + 1} of ${FILLED_DAYS}`);
  }
}

/** A number that a row has by chance, always the same one: below `below`. */
const chance = (what: string, below: number, of = 'n'): string => `sipHash64(${of}, '${what}') % ${below}`;

const pick = (what: string, values: readonly string[], of = 'n'): string =>
  `arrayElement([${values.map((value) => `'${value}'`).join(', ')}], 1 + ${chance(what, values.length, of)})`;

const hexOf = (what: string, of: string): string => `lower(hex(sipHash128(${of}, '${what}')))`;
const idOf = (what: string, of: string): string => `lower(hex(sipHash64(${of}, '${what}')))`;

/** Evenly over the hours of a day; the first one is today, up to now. */
const moment = (day: number, of: string): string =>
  day === 0
    ? `now64(6, 'UTC') - toIntervalMicrosecond(sipHash64(${of}, 'time') % greatest(1000000, toUInt64(dateDiff('second', toStartOfDay(now('UTC')), now('UTC'))) * 1000000))`
    : `toDateTime64(toStartOfDay(now('UTC') - toIntervalDay(${day})), 6, 'UTC') + toIntervalMicrosecond(${chance('time', 86_400_000_000, of)})`;

const projectOf = ({ projectIds }: Filled, of: string): string =>
  `arrayElement([${projectIds.join(', ')}], 1 + ${chance('project', projectIds.length, of)})`;

const ATTRIBUTES_TEXT = "'Map(LowCardinality(String), String)'";
const ATTRIBUTES_NUMBER = "'Map(LowCardinality(String), Float64)'";
const ATTRIBUTES_FLAG = "'Map(LowCardinality(String), Bool)'";

const RELEASES = ['shop@4.1.0', 'shop@4.1.1', 'shop@4.2.0', 'shop@4.2.1', 'shop@4.3.0'];
const ENVIRONMENTS = ['production', 'production', 'production', 'staging'];
const REGIONS = ['eu-west-1', 'eu-central-1', 'us-east-1', 'us-west-2', 'ap-south-1'];

/** Columns in the order of the table. */
function selectSpans(at: Filled, day: number, numbers: string): string {
  const trace = 'intDiv(n, 40)';
  const operations = ['db.query', 'db.query', 'db.query', 'http.client', 'cache.get', 'function'];
  const names = `multiIf(isRoot, segment, operation = 'db.query', concat('SELECT * FROM ', ${pick('table', ['orders', 'customers', 'carts', 'prices', 'stock', 'invoices'])}, ' WHERE id = $1 AND shop = ', toString(${chance('shop', 50)})),
    operation = 'http.client', concat('GET https://', ${pick('host', ['pay', 'mail', 'search', 'geo'])}, '.example.com/v1/', toString(${chance('path', 500)})), concat('step ', toString(${chance('step', 400)})))`;
  const duration = `toUInt64(exp(4 + 3 * (${chance('long', 1_000)} + ${chance('tail', 1_000)}) / 1000) * if(isRoot, 40, 8))`;
  return `SELECT ${at.organizationId} AS organization_id, project AS project_id, 1 AS key_id, toDateTime64(started + toIntervalMillisecond(800), 3, 'UTC') AS received_at,
    trace AS trace_id, span AS span_id, if(isRoot, '', ${idOf('span', 'n - n % 40 + intDiv(n % 40 - 1, 4)')}) AS parent_span_id,
    root AS segment_id, isRoot AS is_segment, ${hexOf('transaction', trace)} AS transaction_id, 'transaction' AS source,
    operation AS op, ${names} AS name, segment AS segment_name,
    if(${chance('status', 50)} = 0, 'internal_error', 'ok') AS status, if(isRoot, 'server', 'client') AS kind,
    'auto' AS origin, started AS started_at, ${duration} AS duration_us,
    ${pick('release', RELEASES, trace)} AS release, ${pick('environment', ENVIRONMENTS, trace)} AS environment, 'node' AS platform,
    'sentry.javascript.node' AS sdk_name, toString(${chance('user', 20_000, trace)}) AS user_id,
    CAST((['db.system', 'server.address', 'cloud.region', 'thread.name', 'customer.plan', 'session.id'],
      [if(operation = 'db.query', 'postgresql', ''), concat('node-', toString(${chance('server', 40)})), ${pick('region', REGIONS, trace)}, concat('worker-', toString(${chance('thread', 8)})), ${pick('plan', ['free', 'team', 'business'], trace)}, ${idOf('session', `intDiv(${trace}, 5)`)}]), ${ATTRIBUTES_TEXT}) AS attributes_text,
    CAST((['http.response.status_code', 'http.response.body.size', 'process.pid'], [if(${chance('status', 50)} = 0, 500., 200.), toFloat64(${chance('size', 200_000)}), toFloat64(${chance('server', 40)} + 100)]), ${ATTRIBUTES_NUMBER}) AS attributes_number,
    CAST((['cached'], [${chance('cached', 3)} = 0]), ${ATTRIBUTES_FLAG}) AS attributes_flag, '' AS links
    FROM (SELECT n, n % 40 = 0 AS isRoot, ${hexOf('trace', trace)} AS trace, ${idOf('span', 'n')} AS span, ${idOf('span', 'n - n % 40')} AS root,
      ${projectOf(at, trace)} AS project, concat(${pick('verb', ['GET', 'GET', 'POST'], trace)}, ' /', ${pick('area', ['orders', 'customers', 'cart', 'search', 'account', 'admin'], trace)}, '/', toString(${chance('route', 20, trace)})) AS segment,
      if(isRoot, 'http.server', ${pick('op', operations)}) AS operation,
      ${moment(day, trace)} + toIntervalMicrosecond((n % 40) * 2500 + ${chance('late', 2_000)}) AS started FROM (${numbers}))`;
}

function selectLogs(at: Filled, day: number, numbers: string): string {
  const trace = 'intDiv(n, 20)';
  const body = `concat(${pick('text', ['order accepted for customer ', 'cache miss for key cart:', 'payment took longer than usual for order ', 'retrying the request to stock service, attempt of ', 'user signed in, id ', 'sent mail to customer '])}, toString(${chance('about', 1_000_000)}), if(${chance('more', 4)} = 0, concat(', took ', toString(${chance('took', 9_000)}), ' ms at ', ${pick('where', ['checkout.js:41', 'stock.js:120', 'mail.js:9'])}), ''))`;
  return `SELECT ${at.organizationId} AS organization_id, ${projectOf(at, trace)} AS project_id, 1 AS key_id, toDateTime64(occurred + toIntervalMillisecond(800), 3, 'UTC') AS received_at,
    ${hexOf('line', 'n')} AS row_id, occurred AS occurred_at, ${hexOf('trace', trace)} AS trace_id, ${idOf('span', 'n * 2')} AS span_id,
    level AS level, transform(level, ['debug', 'info', 'warn', 'error'], [5, 9, 13, 17], 9) AS severity_number,
    ${body} AS body, 'sentry' AS source, ${pick('release', RELEASES, trace)} AS release, ${pick('environment', ENVIRONMENTS, trace)} AS environment,
    'sentry.javascript.node' AS sdk_name,
    CAST((['server.address', 'cloud.region', 'logger', 'customer.plan', 'session.id'], [concat('node-', toString(${chance('server', 40)})), ${pick('region', REGIONS, trace)}, ${pick('logger', ['checkout', 'stock', 'mail', 'auth'])}, ${pick('plan', ['free', 'team', 'business'], trace)}, ${idOf('session', `intDiv(${trace}, 5)`)}]), ${ATTRIBUTES_TEXT}) AS attributes_text,
    CAST((['process.pid', 'took_ms'], [toFloat64(${chance('server', 40)} + 100), toFloat64(${chance('took', 9_000)})]), ${ATTRIBUTES_NUMBER}) AS attributes_number,
    CAST((['retried'], [${chance('retried', 9)} = 0]), ${ATTRIBUTES_FLAG}) AS attributes_flag
    FROM (SELECT n, ${pick('level', ['debug', 'info', 'info', 'info', 'info', 'warn', 'error'])} AS level, ${moment(day, trace)} + toIntervalMicrosecond((n % 20) * 4000 + ${chance('late', 3_000)}) AS occurred FROM (${numbers}))`;
}

/** The engine's memory is bounded: while it merges, an insert may have to wait. */
async function trying(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === TRIES_MAX) throw error;
      await sleep(RETRY_MS);
    }
  }
}
