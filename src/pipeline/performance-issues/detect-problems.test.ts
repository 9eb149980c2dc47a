import { describe, expect, test } from 'vitest';
import { PERFORMANCE_ISSUE_TYPES, type PerformanceIssueType } from '#protocol/performance-issue.ts';
import type { Attributes, DigestedSpan } from '#protocol/telemetry.ts';
import { detectProblems } from './detect-problems.ts';

const START_US = 1_790_000_000_000_000;
const ROOT = '00000000000000ff';

/** `ms` are the start, after that of the transaction, and the duration. */
const span = (
  op: string,
  name: string,
  [atMs, durationMs]: readonly [number, number],
  more: Partial<DigestedSpan> = {},
): DigestedSpan => ({
  organizationId: 1,
  projectId: 1,
  keyId: 1,
  receivedAt: START_US / 1_000,
  traceId: 'a'.repeat(32),
  spanId: `${atMs.toString(16)}${name.length}`.slice(0, 16).padStart(16, '0'),
  parentSpanId: ROOT,
  segmentId: ROOT,
  isSegment: false,
  transactionId: 'b'.repeat(32),
  source: 'transaction',
  op,
  name,
  segmentName: 'GET /cart',
  status: 'ok',
  kind: '',
  origin: '',
  startedAtUs: START_US + atMs * 1_000,
  durationUs: durationMs * 1_000,
  release: null,
  environment: null,
  platform: 'python',
  sdkName: '',
  userId: null,
  attributes: {},
  links: null,
  ...more,
});

const query = (name: string, ms: readonly [number, number], more?: Partial<DigestedSpan>) =>
  span('db.sql.query', name, ms, more);

type Asked = { op?: string; name?: string; measurements?: Record<string, number> };

const detect = (
  spans: readonly DigestedSpan[],
  { op = 'http.server', name = 'GET /cart/17', measurements = {} }: Asked = {},
) =>
  detectProblems(
    { op, name, measurements, startedAtUs: START_US, endedAtUs: START_US + 10_000_000 },
    spans,
    PERFORMANCE_ISSUE_TYPES,
  );

const typesOf = (...args: Parameters<typeof detect>): readonly PerformanceIssueType[] =>
  detect(...args).map(({ type }) => type);

const AUTHOR = (id: number) => `SELECT * FROM authors WHERE id = ${id}`;
const BOOKS = query('SELECT id, author_id FROM books WHERE shelf = %s', [0, 5]);
const authors = (count: number, eachMs: number) =>
  Array.from({ length: count }, (_, index) => query(AUTHOR(index), [10 + index * 20, eachMs]));

describe('N+1 queries', () => {
  test('a query again and again behind the one that it belongs to', () => {
    const repeated = authors(6, 10);
    expect(detect([BOOKS, ...repeated])).toMatchObject([
      {
        type: 'performance_n_plus_one_db_queries',
        fingerprint: ['GET /cart/<int>', 'SELECT * FROM authors WHERE id = %s'],
        description: 'SELECT * FROM authors WHERE id = %s',
        cause: { spanId: BOOKS.spanId },
        durationUs: 60_000,
        savableUs: 50_000,
        offenders: repeated.map(({ spanId }) => ({ spanId })),
      },
    ]);
  });

  test.each([
    ['too few', [BOOKS, ...authors(4, 19)]],
    ['too fast', [BOOKS, ...authors(6, 8)]],
    ['nothing before them', authors(6, 10)],
    ['beside each other', [BOOKS, ...authors(6, 30)]],
    ['another query in between', [...authors(4, 15), query('SELECT 1', [95, 1]), ...authors(9, 15).slice(5)]],
    ['cut off', [BOOKS, ...authors(6, 10).map((each) => ({ ...each, name: 'SELECT * FROM autho...' }))]],
    [
      'of different parents',
      [BOOKS, ...authors(6, 10).map((each, index) => ({ ...each, parentSpanId: `${index}` }))],
    ],
  ])('%s: none', (_, spans) => {
    expect(typesOf(spans)).toEqual([]);
  });

  test('the same problem in two items of a kind is one issue, in another transaction another one', () => {
    const fingerprintOf = (name: string) => detect([BOOKS, ...authors(6, 10)], { name })[0]?.fingerprint;
    expect(fingerprintOf('GET /cart/17')).toEqual(fingerprintOf('GET /cart/2345'));
    expect(fingerprintOf('GET /cart/17')).not.toEqual(fingerprintOf('GET /wishlist/17'));
  });
});

describe('Consecutive queries', () => {
  const FIRST = query('SELECT * FROM users WHERE id = %s', [0, 150]);
  const prices = (durationMs: number, name = 'SELECT sum(price) FROM prices') =>
    query(name, [200, durationMs]);

  test('one that needs nothing of those before it', () => {
    expect(detect([FIRST, prices(120)])).toMatchObject([
      {
        type: 'performance_consecutive_db_queries',
        description: 'SELECT sum(price) FROM prices',
        cause: { spanId: FIRST.spanId },
        savableUs: 120_000,
      },
    ]);
  });

  test.each([
    ['too little to save', [FIRST, prices(99)]],
    [
      'a small share',
      [
        { ...FIRST, durationUs: 1_900_000, name: 'DELETE FROM users' },
        query('SELECT a FROM b', [1_950, 150]),
      ],
    ],
    ['it filters', [FIRST, prices(120, 'SELECT a FROM prices WHERE b = c')]],
    ['it takes a parameter', [FIRST, prices(120, 'SELECT a FROM prices LIMIT %s')]],
    ['it changes something', [FIRST, prices(120, 'UPDATE prices SET a = b')]],
    [
      'it is the first',
      [query('SELECT a FROM prices', [0, 150]), query('SELECT a FROM b WHERE c = %s', [200, 150])],
    ],
    ['beside each other', [FIRST, query('SELECT a FROM prices', [100, 120])]],
    [
      'each too short',
      [FIRST, ...[1, 2, 3, 4].map((index) => query(`SELECT a FROM t${index}`, [index * 100 + 100, 29]))],
    ],
  ])('%s: none', (_, spans) => {
    expect(typesOf(spans)).toEqual([]);
  });
});

describe('Slow queries', () => {
  test('one that takes long is one issue wherever it runs', () => {
    const slow = query("SELECT * FROM orders WHERE note LIKE '%gift%'", [0, 500]);
    const [problem] = detect([slow]);
    expect(problem).toMatchObject({
      type: 'performance_slow_db_query',
      fingerprint: ['SELECT * FROM orders WHERE note LIKE %s'],
    });
    expect(detect([slow], { name: 'nightly' })[0]?.fingerprint).toEqual(problem?.fingerprint);
  });

  test.each([
    ['just below', query('SELECT 1', [0, 499.9])],
    ['no SELECT', query('INSERT INTO a SELECT 1', [0, 900])],
    ['no query', query('COMMIT', [0, 900])],
    ['a cache', span('db.redis', 'SELECT 1', [0, 900])],
    ['cut off', query('SELECT a, b, c…', [0, 900])],
  ])('%s: none', (_, slow) => {
    expect(typesOf([slow])).toEqual([]);
  });
});

const call = (url: string, ms: readonly [number, number], attributes: Attributes = {}) =>
  span('http.client', url, ms, { attributes });

describe('N+1 API calls', () => {
  const items = (
    count: number,
    gapMs = 2,
    durationMs = 40,
    url = (id: number) => `GET /api/items/${id}?full=1`,
  ) => Array.from({ length: count }, (_, index) => call(url(index), [index * gapMs, durationMs]));

  test('many requests of a page at once', () => {
    expect(detect(items(10), { op: 'pageload' })).toMatchObject([
      { type: 'performance_n_plus_one_api_calls', description: 'GET /api/items/*', durationUs: 400_000 },
    ]);
  });

  test.each([
    ['too few', items(9)],
    ['one after the other', items(10, 6)],
    ['too fast', items(10, 2, 29)],
    ['files', items(10, 2, 40, (id) => `GET /img/${id}.png`)],
    ['GraphQL', items(10, 2, 40, () => 'GET /graphql')],
    ['writes', items(10, 2, 40, (id) => `POST /api/items/${id}`)],
  ])('%s: none', (_, spans) => {
    expect(typesOf(spans, { op: 'pageload' })).toEqual([]);
  });

  test('not on a server', () => {
    expect(typesOf(items(10))).toEqual([]);
  });
});

describe('Consecutive HTTP', () => {
  const chain = (count: number, durationMs: number, gapMs = 10) =>
    Array.from({ length: count }, (_, index) =>
      call(`GET https://api.example.com/${'abcd'[index]}`, [index * (durationMs + gapMs), durationMs]),
    );

  test('slow requests one after the other', () => {
    expect(detect(chain(3, 1_000))).toMatchObject([
      {
        type: 'performance_consecutive_http',
        savableUs: 2_000_000,
        description: 'GET https://api.example.com/a',
      },
    ]);
  });

  test.each([
    ['too few', chain(2, 3_000)],
    ['too little to save', chain(3, 999)],
    ['too fast', chain(4, 499)],
    ['too far apart', chain(3, 1_000, 501)],
    ['beside each other', chain(4, 1_000, -1)],
  ])('%s: none', (_, spans) => {
    expect(typesOf(spans)).toEqual([]);
  });

  test('not while a page loads', () => {
    expect(typesOf(chain(3, 1_000), { op: 'pageload' })).toEqual([]);
  });
});

describe('Large HTTP payloads', () => {
  const payload = (bytes: Attributes[string], url = 'GET /api/report', durationMs = 100) =>
    call(url, [0, durationMs], { 'http.response_content_length': bytes });

  test.each([[300_001], ['300001']])('an answer of %j bytes', (bytes) => {
    expect(detect([payload(bytes)])).toMatchObject([
      { type: 'performance_large_http_payload', bytes: 300_001, description: 'GET /api/report' },
    ]);
  });

  test.each([
    ['just below', payload(300_000)],
    ['fast', payload(900_000, 'GET /api/report', 99)],
    ['a file', payload(900_000, 'GET /films/1.mp4')],
    ['of the framework', payload(900_000, 'GET /_next/data/x/page.json')],
    ['no number', payload('many')],
    ['unknown', call('GET /api/report', [0, 500])],
  ])('%s: none', (_, each) => {
    expect(typesOf([each])).toEqual([]);
  });
});

const asset = (name: string, ms: readonly [number, number], attributes: Attributes) =>
  span('resource.script', name, ms, { attributes });
const sizes = (encoded: number, decoded: number): Attributes => ({
  'http.response_content_length': encoded,
  'http.decoded_response_content_length': decoded,
});

describe('Uncompressed assets', () => {
  const COMPRESSED = asset('https://shop/vendor.js', [0, 20], sizes(10_000, 40_000));
  const large = (encoded: number, decoded: number, durationMs = 500) =>
    asset('https://shop/app-3f9a2b1c.js?v=2', [0, durationMs], sizes(encoded, decoded));

  test('a file as it is, where others are compressed', () => {
    expect(detect([COMPRESSED, large(512_000, 512_000)])).toMatchObject([
      { type: 'performance_uncompressed_assets', description: 'https://shop/app-*.js', bytes: 512_000 },
    ]);
  });

  test('the names of older SDKs', () => {
    const old = { 'Encoded Body Size': 600_000, 'Decoded Body Size': 600_000 };
    expect(typesOf([COMPRESSED, asset('https://shop/a.js', [0, 500], old)])).toEqual([
      'performance_uncompressed_assets',
    ]);
  });

  test.each([
    ['just below', [COMPRESSED, large(511_999, 511_999)]],
    ['fast', [COMPRESSED, large(512_000, 512_000, 499)]],
    ['compressed', [COMPRESSED, large(512_000, 900_000)]],
    ['a browser that takes nothing compressed', [large(512_000, 512_000)]],
  ])('%s: none', (_, spans) => {
    expect(typesOf(spans)).toEqual([]);
  });
});

describe('Render-blocking assets', () => {
  const blocking = (bytes: number, ms: readonly [number, number], status?: string) =>
    asset('https://shop/app.js', ms, {
      'http.response_content_length': bytes,
      ...(status === undefined ? {} : { 'resource.render_blocking_status': status }),
    });
  const page = (fcp: number): Asked => ({ op: 'pageload', measurements: { fcp } });

  test.each([['blocking'], [undefined]])('a large file before the first paint, said to be %s', (status) => {
    expect(detect([blocking(500_001, [100, 700], status)], page(2_000))).toMatchObject([
      { type: 'performance_render_blocking_asset_span', fcpMs: 2_000, bytes: 500_001, savableUs: 700_000 },
    ]);
  });

  test.each([
    ['small', blocking(500_000, [100, 700]), page(2_000)],
    ['quick', blocking(500_001, [100, 659]), page(2_000)],
    ['after the paint', blocking(500_001, [1_900, 700]), page(2_000)],
    ['not blocking', blocking(500_001, [100, 700], 'non-blocking'), page(2_000)],
    ['an early paint', blocking(500_001, [100, 700]), page(1_999)],
    ['a paint too late to be true', blocking(500_001, [100, 5_000]), page(10_001)],
    ['an unknown paint', blocking(500_001, [100, 700]), {}],
  ])('%s: none', (_, each, asked) => {
    expect(typesOf([each], asked)).toEqual([]);
  });
});

describe('what anybody can send', () => {
  test('ten thousand spans cost little, and only the first thousand are looked at', () => {
    const spans = Array.from({ length: 10_000 }, (_, index) =>
      query(`SELECT ${'(?, '.repeat(200)} FROM t${index} WHERE a = '${"''".repeat(100)}`, [index, 1]),
    );
    const began = performance.now();
    expect(detect([...spans, BOOKS, ...authors(6, 10)])).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('a transaction has a bounded number of problems, the longest', () => {
    const slow = Array.from({ length: 100 }, (_, index) =>
      query(`SELECT a FROM t${index}`, [0, 600 + index]),
    );
    const found = detect(slow);
    expect(found).toHaveLength(10);
    expect(found[0]?.description).toBe('SELECT a FROM t99');
  });

  test('parents in a circle, parents that are missing and spans that are their own parents', () => {
    const circle = authors(6, 10).map((each, index) => ({
      ...each,
      spanId: `${index % 2}`,
      parentSpanId: `${(index + 1) % 2}`,
    }));
    const own = authors(6, 10).map((each) => ({ ...each, parentSpanId: each.spanId }));
    const lost = authors(6, 10).map((each) => ({ ...each, parentSpanId: null }));
    expect(typesOf([BOOKS, ...circle])).toEqual([]);
    expect(typesOf([BOOKS, ...own])).toEqual([]);
    expect(detect([BOOKS, ...lost])).toMatchObject([{ parent: null }]);
  });

  test('times that make no sense', () => {
    const odd = [-5, Number.NaN, Number.NEGATIVE_INFINITY].flatMap((durationMs) =>
      authors(6, durationMs).concat(query('SELECT 1', [0, durationMs])),
    );
    const starts = authors(6, 10).map((each) => ({ ...each, startedAtUs: Number.NaN }));
    expect(typesOf([BOOKS, ...odd, ...starts])).toEqual([]);
  });

  test('spans without a description', () => {
    const ops = ['db', 'db.sql.query', 'http.client', 'resource.script', ''];
    const spans = ops.flatMap((op) => ['', op].map((name) => span(op, name, [0, 5_000])));
    expect(typesOf(spans, { op: 'pageload', measurements: { fcp: 3_000 } })).toEqual([]);
  });
});
