import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings } from '#protocol/ingest-settings.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { ROOT_ID, STARTED, TRACE_ID } from '../fixtures/trace-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext } from '../item.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestSpanContainer } from './digest-spans.ts';

const CONTENT_TYPE = 'application/vnd.sentry.items.span.v2+json';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const text = (value: string) => ({ type: 'string', value });
const idOf = (index: number) => `c${index.toString(16).padStart(15, '0')}`;
const span = (fields: object = {}) => ({
  trace_id: TRACE_ID,
  span_id: ROOT_ID,
  name: 'GET /carts',
  status: 'ok',
  is_segment: true,
  start_timestamp: STARTED,
  end_timestamp: STARTED + 0.5,
  attributes: {
    'sentry.release': text('shop@1.0.0'),
    'sentry.environment': text('local'),
    'sentry.platform': text('php'),
    'sentry.sdk.name': text('sentry.php'),
    'sentry.op': text('http.server'),
    'sentry.origin': text('manual'),
    'http.response.status_code': { type: 'integer', value: 200 },
    'custom.rate': { type: 'double', value: 0.5 },
    'custom.flag': { type: 'boolean', value: true },
    'user.id': text('u-1'),
  },
  ...fields,
});

const digest = (
  items: unknown,
  {
    itemCount,
    container,
    ...context
  }: Partial<ItemContext> & { itemCount?: number | null; container?: object } = {},
) =>
  digestSpanContainer(
    rawItem(
      'span',
      { items, ...container },
      {
        contentType: CONTENT_TYPE,
        itemCount: itemCount === undefined ? (Array.isArray(items) ? items.length : 1) : itemCount,
      },
    ),
    itemContext(context),
  );

const rulesOf = (filters: Partial<IngestSettings['filters']>) =>
  compileIngestRules({
    ...DEFAULT_INGEST_SETTINGS,
    filters: { ...DEFAULT_INGEST_SETTINGS.filters, ...filters },
  });

describe('a span', () => {
  test('has its columns from its attributes', () => {
    expect(digest([span()]).rows.spans).toMatchObject([
      {
        traceId: TRACE_ID,
        spanId: ROOT_ID,
        parentSpanId: null,
        segmentId: ROOT_ID,
        isSegment: true,
        source: 'span_v2',
        op: 'http.server',
        name: 'GET /carts',
        segmentName: 'GET /carts',
        status: 'ok',
        origin: 'manual',
        release: 'shop@1.0.0',
        environment: 'local',
        platform: 'php',
        sdkName: 'sentry.php',
        userId: 'u-1',
        startedAtUs: STARTED * 1_000_000,
        durationUs: 500_000,
        attributes: { 'http.response.status_code': 200, 'custom.rate': 0.5, 'custom.flag': true },
        links: null,
      },
    ]);
  });

  test.each([
    [
      {
        'http.request.method': text('POST'),
        'url.full': text('https://x.example/a?b=c'),
        'sentry.kind': text('client'),
      },
      'http.client',
      'POST https://x.example/a',
    ],
    [
      {
        'http.request.method': text('GET'),
        'url.full': text('http://127.0.0.1/a?b'),
        'sentry.op': text('http.client'),
      },
      'http.client',
      'GET http://127.0.0.1/a',
    ],
    [
      {
        'http.request.method': text('GET'),
        'url.path': text('/a'),
        'server.address': text('127.0.0.1'),
        'sentry.op': text('http.client'),
      },
      'http.client',
      'GET 127.0.0.1/a',
    ],
    [
      { 'http.method': text('GET'), 'http.target': text('/a?b=c'), 'sentry.kind': text('client') },
      'http.client',
      'GET /a',
    ],
    [
      { 'http.method': text('GET'), 'http.route': text('/a/:id'), 'sentry.op': text('http.server') },
      'http.server',
      'GET /a/:id',
    ],
    [
      { 'http.method': text('GET'), 'http.target': text('/a?b=c'), 'sentry.kind': text('server') },
      'http.server',
      'GET /a',
    ],
    [{ 'db.system': text('redis'), 'db.statement': text('GET key') }, 'db', 'GET key'],
    [
      { 'db.system': text('redis'), 'db.statement': text('GET key'), 'sentry.op': text('cache.get') },
      'cache.get',
      'a name',
    ],
    [
      { 'sentry.op': text('resource.script'), 'url.full': text('https://x.example/a.js?v=1') },
      'resource.script',
      'https://x.example/a.js',
    ],
    [{ 'sentry.op': text('resource.img') }, 'resource.img', 'a name'],
    [{ 'gen_ai.system': text('x') }, 'gen_ai', 'a name'],
    [{ 'rpc.service': text('x') }, 'rpc', 'a name'],
    [{ 'messaging.system': text('x') }, 'message', 'a name'],
    [{ 'faas.trigger': text('timer') }, 'timer', 'a name'],
    [{ 'sentry.description': text('said') }, 'default', 'said'],
    [{}, 'default', 'a name'],
  ])('with %j has op %s and name %s', (attributes, op, name) => {
    expect(digest([span({ attributes, name: 'a name' })]).rows.spans).toMatchObject([{ op, name }]);
  });

  test('has the web vitals of newer SDKs by the names of measurements too', () => {
    const number = (value: number) => ({ type: 'double', value });
    const attributes = {
      'browser.web_vital.lcp.value': number(288.5),
      'browser.web_vital.cls.value': number(0),
      'browser.web_vital.inp.value': text('fast'),
      'browser.web_vital.ttfb.value': number(85),
      ttfb: number(80),
    };
    const [row] = digest([span({ attributes })]).rows.spans ?? [];
    expect(row?.attributes).toMatchObject({
      lcp: 288.5,
      cls: 0,
      ttfb: 80,
      'browser.web_vital.lcp.value': 288.5,
    });
    expect(row?.attributes).not.toHaveProperty('inp');
    expect(row?.attributes).not.toHaveProperty('fcp');
  });

  test('links that name no span go', () => {
    const link = { trace_id: TRACE_ID, span_id: ROOT_ID, attributes: { k: { type: 'string', value: 'v' } } };
    expect(digest([span({ links: [link, { trace_id: 'x' }, 5] })]).rows.spans).toMatchObject([
      { links: [link] },
    ]);
  });
});

describe('a container', () => {
  test('of good and bad spans stores the good ones', () => {
    const { rows, outcomes } = digest([
      span(),
      null,
      span({ span_id: 'x' }),
      span({ span_id: idOf(1), end_timestamp: null }),
      span(),
      span({ span_id: idOf(2) }),
    ]);
    expect(rows.spans?.map(({ spanId }) => spanId)).toEqual([ROOT_ID, idOf(2)]);
    expect(outcomes).toEqual([
      { category: 'span', outcome: 'accepted', reason: '', quantity: 2 },
      { category: 'span', outcome: 'invalid', reason: 'invalid_span', quantity: 2 },
      { category: 'span', outcome: 'invalid', reason: 'timestamp', quantity: 1 },
      { category: 'span', outcome: 'invalid', reason: 'duplicate', quantity: 1 },
    ]);
  });

  test.each([
    ['another number than its header', [span(), span({ span_id: idOf(1) })], 3, 'item_count_mismatch', 2],
    ['no number in its header', [span()], null, 'item_count_mismatch', 1],
    ['no list', { a: 1 }, 4, 'invalid_json', 4],
    ['no list and an absurd number', 5, 4_000_000_000, 'invalid_json', ELEMENTS_MAX],
    ['nothing', [], 0, 'no_data', 1],
  ])('with %s is refused whole', (_, items, itemCount, reason, quantity) => {
    expect(digest(items, { itemCount })).toEqual({
      events: [],
      rows: {},
      blobs: [],
      outcomes: [{ category: 'span', outcome: 'invalid', reason, quantity }],
    });
  });

  test('of more elements than the bound keeps the first and counts the rest', () => {
    const items = Array.from({ length: ELEMENTS_MAX + 7 }, (_, index) => span({ span_id: idOf(index) }));
    const { rows, outcomes } = digest(items);
    expect(rows.spans).toHaveLength(ELEMENTS_MAX);
    expect(outcomes).toContainEqual({
      category: 'span',
      outcome: 'invalid',
      reason: 'too_many_items',
      quantity: 7,
    });
  });
});

describe('what only the request tells', () => {
  const infer = (ingest_settings: object | undefined, version: number | undefined) =>
    digest([span()], { container: { version, ingest_settings }, userAgent: CHROME }).rows.spans?.[0]
      ?.attributes;

  test('is taken when the container allows it', () => {
    expect(infer({ infer_ip: 'auto', infer_user_agent: 'auto' }, 2)).toMatchObject({
      'client.address': '198.51.100.4',
      'browser.name': 'Chrome',
    });
  });

  test.each([
    ['it forbids it', { infer_ip: 'never', infer_user_agent: 'never' }, 2],
    ['it says nothing', undefined, 2],
    ['it is too old to say', { infer_ip: 'auto', infer_user_agent: 'auto' }, undefined],
  ])('is left when %s', (_, settings, version) => {
    const attributes = infer(settings, version);
    expect(attributes).not.toHaveProperty(['client.address']);
    expect(attributes).not.toHaveProperty(['browser.name']);
  });
});

describe('inbound filters', () => {
  test('judge a span by the name of its segment, by its release and its sender', () => {
    const reasonOf = (fields: object, context: Partial<ItemContext> = {}) =>
      digest([span(fields)], context).outcomes[0]?.reason;
    expect(reasonOf({ name: 'GET /healthz' })).toBe('filtered-transaction');
    expect(reasonOf({}, { rules: rulesOf({ releases: ['shop@1.*'] }) })).toBe('release-version');
    expect(reasonOf({}, { rules: rulesOf({ ipAddresses: ['198.51.100.0/24'] }) })).toBe('ip-address');
    expect(reasonOf({})).toBe('');
  });
});
