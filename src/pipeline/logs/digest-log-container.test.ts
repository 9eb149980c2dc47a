import { describe, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import type { ItemContext } from '../item.ts';
import { ELEMENTS_MAX, LOG_BODY_CHARS_MAX } from '../telemetry/limits.ts';
import { digestLogContainer } from './digest-log-container.ts';

const OCCURRED = 1_790_000_005.25;
const TRACE_ID = '7785a46fea044fee82f899fc602ba9e8';

const log = (fields: object = {}) => ({
  timestamp: OCCURRED,
  trace_id: TRACE_ID,
  level: 'warn',
  body: 'Cache miss for cart 7',
  severity_number: 14,
  attributes: {
    'sentry.release': { value: 'shop@1.0.0', type: 'string' },
    'sentry.environment': { value: 'production', type: 'string' },
    'sentry.sdk.name': { value: 'sentry.javascript.node', type: 'string' },
    'sentry.message.template': { value: 'Cache miss for cart %s', type: 'string' },
    cart: { value: 7, type: 'integer' },
  },
  ...fields,
});

const digest = (
  items: readonly unknown[],
  { container, ...context }: Partial<ItemContext> & { container?: object } = {},
) =>
  digestLogContainer(
    rawItem(
      'log',
      { items, ...container },
      {
        contentType: 'application/vnd.sentry.items.log+json',
        itemCount: items.length,
      },
    ),
    itemContext(context),
  );
const stored = (fields: object, context: Parameters<typeof digest>[1] = {}) =>
  digest([log(fields)], context).rows.logs?.[0];

test('a log is a row with its columns and typed attributes', () => {
  const { rows, outcomes } = digest([log({ span_id: 'eee19b7ec3c1b174' })]);
  expect(outcomes).toEqual([{ category: 'log_item', outcome: 'accepted', reason: '', quantity: 1 }]);
  expect(rows.logs).toEqual([
    {
      organizationId: 1,
      projectId: 2,
      keyId: 3,
      receivedAt: FIXTURES_RECEIVED_AT_MS,
      rowId: expect.stringMatching(/^[0-9a-f]{32}$/),
      occurredAtUs: OCCURRED * 1_000_000,
      traceId: TRACE_ID,
      spanId: 'eee19b7ec3c1b174',
      level: 'warn',
      severityNumber: 14,
      body: 'Cache miss for cart 7',
      source: 'sentry',
      release: 'shop@1.0.0',
      environment: 'production',
      sdkName: 'sentry.javascript.node',
      attributes: {
        'sentry.release': 'shop@1.0.0',
        'sentry.environment': 'production',
        'sentry.sdk.name': 'sentry.javascript.node',
        'sentry.message.template': 'Cache miss for cart %s',
        cart: 7,
      },
    },
  ]);
});

test.each([
  [{ level: 'trace', severity_number: undefined }, 'trace', 1],
  [{ level: 'debug', severity_number: null }, 'debug', 5],
  [{ level: 'info', severity_number: 0 }, 'info', 9],
  [{ level: 'WARNING', severity_number: 25 }, 'warn', 13],
  [{ level: 'error', severity_number: 1.5 }, 'error', 17],
  [{ level: 'critical', severity_number: 'x' }, 'fatal', 21],
  [{ level: undefined, severity_number: 24 }, 'fatal', 24],
  [{ level: 'unheard of', severity_number: 6 }, 'debug', 6],
  [{ level: 'constructor', severity_number: undefined }, 'info', 9],
  [
    {
      level: null,
      severity_number: undefined,
      attributes: { 'sentry.severity_number': { type: 'integer', value: '18' } },
    },
    'error',
    18,
  ],
])('%j is of level %s and severity %i', (fields, level, severityNumber) => {
  expect(stored(fields)).toMatchObject({ level, severityNumber });
});

test('each bad element has its outcome, and the others keep their ids', () => {
  const bad = [
    null,
    'text',
    log({ body: null }),
    log({ body: { a: 1 } }),
    log({ timestamp: 'soon' }),
    log({ timestamp: null }),
  ];
  const { rows, outcomes } = digest([...bad, log()]);
  expect(rows.logs).toHaveLength(1);
  expect(outcomes).toEqual([
    { category: 'log_item', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'log_item', outcome: 'invalid', reason: 'invalid_log', quantity: 4 },
    { category: 'log_item', outcome: 'invalid', reason: 'timestamp', quantity: 2 },
  ]);
  const allGood = digest([log(), log(), log(), log(), log(), log(), log()]).rows.logs;
  expect(rows.logs?.[0]?.rowId).toBe(allGood?.[6]?.rowId);
  expect(new Set(allGood?.map(({ rowId }) => rowId)).size).toBe(7);
});

test('a container is refused whole when its header counts otherwise', () => {
  const item = rawItem('log', { items: [log()] }, { itemCount: 2 });
  expect(digestLogContainer(item, itemContext())).toMatchObject({
    rows: {},
    outcomes: [{ category: 'log_item', outcome: 'invalid', reason: 'item_count_mismatch', quantity: 1 }],
  });
});

describe('bounds', () => {
  testInFull('logs beyond the bound are counted', () => {
    const { rows, outcomes } = digest(Array.from({ length: ELEMENTS_MAX + 1 }, () => log()));
    expect(rows.logs).toHaveLength(ELEMENTS_MAX);
    expect(outcomes[1]).toMatchObject({ outcome: 'invalid', reason: 'too_many_items', quantity: 1 });
  });

  test('a long body is cut and says how long it was', () => {
    const row = stored({ body: 'x'.repeat(LOG_BODY_CHARS_MAX + 1) });
    expect(row?.body).toHaveLength(LOG_BODY_CHARS_MAX);
    expect(row?.attributes['errata.body_chars']).toBe(LOG_BODY_CHARS_MAX + 1);
  });

  test('NUL and lone surrogates become storable', () => {
    const payload = Buffer.from(
      '{"items":[{"timestamp":1790000005,"level":"info","body":"a\\u0000\\ud800","attributes":{"k\\u0000":{"type":"string","value":"\\udc00"}}}]}',
    );
    const { rows } = digestLogContainer(rawItem('log', payload, { itemCount: 1 }), itemContext());
    expect(rows.logs).toMatchObject([
      { body: 'a\ufffd\ufffd', traceId: null, attributes: { 'k\ufffd': '\ufffd' } },
    ]);
  });
});

describe('the clock', () => {
  test('a drift shifts, what is too old moves to its arrival; both say so', () => {
    const hour = 3_600;
    expect(
      stored({ timestamp: OCCURRED - hour }, { sentAtMs: FIXTURES_RECEIVED_AT_MS - hour * 1_000 }),
    ).toMatchObject({
      occurredAtUs: OCCURRED * 1_000_000,
      attributes: { 'errata.timestamp_problem': 'clock_drift' },
    });
    expect(stored({ timestamp: '1999-01-01T00:00:00Z' })).toMatchObject({
      occurredAtUs: FIXTURES_RECEIVED_AT_MS * 1_000,
      attributes: { 'errata.timestamp_problem': 'past_timestamp' },
    });
  });
});

describe('what only the request tells', () => {
  const userAgent =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

  test('SDKs without settings have their browser read, those with settings only when they ask', () => {
    expect(stored({}, { userAgent })?.attributes).toMatchObject({ 'browser.name': 'Chrome' });
    expect(stored({}, { userAgent, container: { version: 2 } })?.attributes).not.toHaveProperty([
      'browser.name',
    ]);
    expect(
      stored({}, { userAgent, container: { version: 2, ingest_settings: { infer_user_agent: 'auto' } } })
        ?.attributes,
    ).toMatchObject({ 'browser.name': 'Chrome' });
  });

  test('{{auto}} asks for the address, a container may too', () => {
    const attributes = { 'user.ip_address': { type: 'string', value: '{{auto}}' } };
    expect(stored({ attributes })?.attributes['user.ip_address']).toBe('198.51.100.4');
    expect(stored({})?.attributes).not.toHaveProperty(['client.address']);
    expect(
      stored({}, { container: { version: 2, ingest_settings: { infer_ip: 'auto' } } })?.attributes,
    ).toMatchObject({ 'client.address': '198.51.100.4' });
  });
});

test('a crawler’s logs are filtered', () => {
  const attributes = {
    'user_agent.original': { type: 'string', value: 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
  };
  expect(digest([log({ attributes }), log()])).toMatchObject({
    rows: { logs: [{ level: 'warn' }] },
    outcomes: [
      { outcome: 'accepted', quantity: 1 },
      { outcome: 'filtered', reason: 'web-crawlers', quantity: 1 },
    ],
  });
});

test('secrets are scrubbed before anything is stored', () => {
  const attributes = { password: { type: 'string', value: 'hunter2' } };
  const row = stored({ body: 'card 4242 4242 4242 4242', attributes });
  expect(JSON.stringify(row)).not.toMatch(/hunter2|4242/);
});
