import { describe, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { encodeTraces, type GroupFixture, type SpanFixture } from '../fixtures/otlp-fixture.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestOtlpTraces } from './digest-spans.ts';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';
const PARENT_ID = 'eee19b7ec3c1b173';
const START = 1_790_000_005_000_000_123n;
const END = START + 250_000_000n;

const spanFixture = (span: Partial<SpanFixture> = {}): SpanFixture => ({
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  name: 'I am a span',
  start: START,
  end: END,
  ...span,
});

const groupOf = (...elements: SpanFixture[]): GroupFixture<SpanFixture> => ({
  resource: [
    ['service.name', { string: 'shop' }],
    ['service.version', { string: 'shop@2.0.0' }],
    ['deployment.environment.name', { string: 'staging' }],
    ['telemetry.sdk.language', { string: 'nodejs' }],
  ],
  scope: { name: 'my.library', version: '1.0.0' },
  elements,
});

const digestBytes = (payload: Uint8Array) =>
  digestOtlpTraces(rawItem('otlp_traces', payload, { contentType: 'application/x-protobuf' }), itemContext());
const digestBinary = (...elements: SpanFixture[]) => digestBytes(encodeTraces([groupOf(...elements)]));
const digestJson = (payload: unknown) =>
  digestOtlpTraces(
    rawItem('otlp_traces', payload, { contentType: 'application/json; charset=utf-8' }),
    itemContext(),
  );

const JSON_BODY = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeSpans: [
        {
          scope: { name: 'my.library', version: '1.0.0' },
          spans: [
            {
              traceId: TRACE_ID.toUpperCase(),
              spanId: SPAN_ID.toUpperCase(),
              parentSpanId: PARENT_ID,
              name: 'GET /carts',
              kind: 'SPAN_KIND_SERVER',
              startTimeUnixNano: String(START),
              endTimeUnixNano: String(END),
              attributes: [
                { key: 'http.request.method', value: { stringValue: 'GET' } },
                { key: 'http.route', value: { stringValue: '/carts/{id}' } },
                { key: 'big', value: { intValue: '9007199254740993' } },
                { key: 'small', value: { intValue: '-7' } },
                { key: 'nothing' },
              ],
              status: { code: 'STATUS_CODE_ERROR', message: 'too slow' },
            },
          ],
        },
      ],
    },
  ],
};

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
/** What stands before a nested message. */
const tagAndLength = (field: number, { length }: Uint8Array): Uint8Array =>
  Buffer.from([(field << 3) | 2, ...varint(length)]);

describe('protobuf', () => {
  test('a span with everything', () => {
    const { rows, outcomes } = digestBinary(
      spanFixture({
        parentSpanId: PARENT_ID,
        traceState: 'vendor=1',
        kind: 3,
        attributes: [
          ['db.system', { string: 'postgresql' }],
          ['db.query.text', { string: 'SELECT * FROM carts' }],
          ['flag', { bool: true }],
          ['count', { int: -42n }],
          ['huge', { int: 9_223_372_036_854_775_807n }],
          ['ratio', { double: 0.5 }],
          ['tags', { array: [{ string: 'a' }, { int: 1n }] }],
          ['map', { list: [['k', { list: [['deep', { bool: false }]] }]] }],
          ['raw', { bytes: Buffer.from([1, 2, 3]) }],
        ],
        events: [{ time: START, name: 'exception', attributes: [['exception.type', { string: 'E' }]] }],
        links: [{ traceId: TRACE_ID, spanId: PARENT_ID, flags: 1 }],
        status: { code: 2, message: 'deadlock' },
        flags: 0x101,
      }),
    );
    expect(outcomes).toEqual([{ category: 'span', outcome: 'accepted', reason: '', quantity: 1 }]);
    expect(rows.spans).toMatchObject([
      {
        traceId: TRACE_ID,
        spanId: SPAN_ID,
        parentSpanId: PARENT_ID,
        segmentId: null,
        isSegment: false,
        transactionId: null,
        source: 'otlp',
        op: 'db',
        name: 'SELECT * FROM carts',
        status: 'error',
        kind: 'client',
        origin: 'auto.otlp.spans',
        startedAtUs: 1_790_000_005_000_000,
        durationUs: 250_000,
        release: 'shop@2.0.0',
        environment: 'staging',
        platform: 'node',
        links: [{ trace_id: TRACE_ID, span_id: PARENT_ID, sampled: true }],
        attributes: {
          'service.name': 'shop',
          'resource.service.name': 'shop',
          'instrumentation.name': 'my.library',
          'instrumentation.version': '1.0.0',
          'sentry.name': 'I am a span',
          'sentry.status.message': 'deadlock',
          'otel.trace_state': 'vendor=1',
          'db.system': 'postgresql',
          flag: true,
          count: -42,
          huge: '9223372036854775807',
          ratio: 0.5,
          tags: '["a",1]',
          map: '{"k":{"deep":false}}',
          raw: 'AQID',
          'sentry.is_remote': false,
        },
      },
    ]);
    expect(JSON.parse(String(rows.spans?.[0]?.attributes['otel.events']))).toEqual([
      { name: 'exception', timeUnixNano: String(START), attributes: { 'exception.type': 'E' } },
    ]);
  });

  test.each([
    ['no parent', {}, true],
    ['a parent', { parentSpanId: PARENT_ID }, false],
    ['a parent that is remote', { parentSpanId: PARENT_ID, flags: 0x300 }, true],
    ['a parent that is said to be local', { parentSpanId: PARENT_ID, flags: 0x100 }, false],
  ])('with %s it is a segment: %j', (_, span, isSegment) => {
    const [row] = digestBinary(spanFixture(span)).rows.spans ?? [];
    expect(row).toMatchObject({
      isSegment,
      segmentId: isSegment ? SPAN_ID : null,
      segmentName: isSegment ? 'I am a span' : '',
      op: 'default',
      status: 'ok',
      kind: '',
    });
  });

  test('bad spans are counted, the others stored', () => {
    const { rows, outcomes } = digestBinary(
      spanFixture({ traceId: '0'.repeat(32) }),
      spanFixture({ spanId: 'abcd' }),
      spanFixture({ end: START - 1_000n }),
      spanFixture({ start: 0n }),
      spanFixture(),
      spanFixture({ name: 'the same id' }),
    );
    expect(rows.spans?.map(({ name }) => name)).toEqual(['I am a span']);
    expect(outcomes).toEqual([
      { category: 'span', outcome: 'accepted', reason: '', quantity: 1 },
      { category: 'span', outcome: 'invalid', reason: 'invalid_span', quantity: 2 },
      { category: 'span', outcome: 'invalid', reason: 'timestamp', quantity: 2 },
      { category: 'span', outcome: 'invalid', reason: 'duplicate', quantity: 1 },
    ]);
  });

  test('whatever is no protobuf is refused whole', () => {
    const whole = encodeTraces([groupOf(spanFixture())]);
    const refused = [{ category: 'span', outcome: 'invalid', reason: 'invalid_otlp', quantity: 1 }];
    for (const bytes of [
      whole.subarray(0, whole.length - 1),
      whole.subarray(0, 20),
      Buffer.from('{"resourceSpans":[]}'),
      Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    ]) {
      expect(digestBytes(bytes)).toMatchObject({ rows: {}, outcomes: refused });
    }
  });

  test('values nested thousands of levels deep end', () => {
    const wrap = (field: number, inner: Uint8Array) => Buffer.concat([tagAndLength(field, inner), inner]);
    let value: Uint8Array = Buffer.alloc(0);
    for (let level = 0; level < 10_000; level++) value = wrap(5, wrap(1, value));
    const attribute = wrap(1, Buffer.concat([wrap(1, Buffer.from('deep')), wrap(2, value)]));
    const group = groupOf(spanFixture());
    const payload = Buffer.concat([wrap(1, wrap(1, attribute)), encodeTraces([group])]);
    const { rows, outcomes } = digestBytes(payload);
    expect(outcomes).toMatchObject([{ outcome: 'accepted', quantity: 1 }]);
    expect(JSON.stringify(rows.spans).length).toBeLessThan(2_000);
  });

  test('more messages than the bound are refused before they fill the memory', () => {
    // One scope of empty spans: two bytes each.
    const spans = Buffer.alloc(2_200_000);
    for (let at = 0; at < spans.length; at += 2) spans[at] = 0x12;
    const scope = Buffer.concat([tagAndLength(2, spans), spans]);
    const payload = Buffer.concat([tagAndLength(1, scope), scope]);
    expect(digestBytes(payload).outcomes).toMatchObject([{ reason: 'invalid_otlp' }]);
  });
});

describe('JSON', () => {
  test('hex ids of any case, integers as text, enums by name', () => {
    expect(digestJson(JSON_BODY).rows.spans).toMatchObject([
      {
        traceId: TRACE_ID,
        spanId: SPAN_ID,
        parentSpanId: PARENT_ID,
        op: 'http.server',
        name: 'GET /carts/{id}',
        kind: 'server',
        status: 'error',
        startedAtUs: 1_790_000_005_000_000,
        durationUs: 250_000,
        attributes: { big: '9007199254740993', small: -7, 'resource.service.name': 'shop' },
      },
    ]);
  });

  test('values nested thousands of levels deep end', () => {
    const levels = 5_000;
    const deep = `${'{"arrayValue":{"values":['.repeat(levels)}${']}}'.repeat(levels)}`;
    const text = JSON.stringify(JSON_BODY).replace('{"stringValue":"GET"}', () => deep);
    const { rows } = digestJson(Buffer.from(text));
    expect(rows.spans).toHaveLength(1);
    expect(JSON.stringify(rows.spans).length).toBeLessThan(2_000);
  });

  test('the same request in both encodings gives the same row', () => {
    const span = spanFixture({ kind: 5, attributes: [['a', { int: 5n }]] });
    const [group] = JSON_BODY.resourceSpans;
    const asJson = digestJson({
      resourceSpans: [
        {
          ...group,
          scopeSpans: [
            {
              ...group?.scopeSpans[0],
              spans: [
                {
                  traceId: TRACE_ID,
                  spanId: SPAN_ID,
                  name: 'I am a span',
                  kind: 5,
                  startTimeUnixNano: Number(START),
                  endTimeUnixNano: Number(END),
                  attributes: [{ key: 'a', value: { intValue: 5 } }],
                },
              ],
            },
          ],
        },
      ],
    });
    const asBinary = digestBytes(
      encodeTraces([
        {
          resource: [['service.name', { string: 'shop' }]],
          scope: { name: 'my.library', version: '1.0.0' },
          elements: [span],
        },
      ]),
    );
    expect(asJson.rows).toEqual(asBinary.rows);
  });

  test.each([
    ['no JSON', Buffer.from('{'), 'invalid_otlp'],
    ['no list', { resourceSpans: 5 }, 'invalid_otlp'],
    ['nothing in it', { resourceSpans: [] }, 'no_data'],
    ['another signal', { resourceLogs: [] }, 'no_data'],
  ])('%s', (_, payload, reason) => {
    expect(digestJson(payload)).toMatchObject({ rows: {}, outcomes: [{ outcome: 'invalid', reason }] });
  });
});

describe('bounds', () => {
  const id = (index: number) => `c${index.toString(16).padStart(15, '0')}`;

  testInFull('spans beyond the bound are counted, over all groups', () => {
    const many = Array.from({ length: ELEMENTS_MAX - 1 }, (_, index) => spanFixture({ spanId: id(index) }));
    const others = Array.from({ length: 4 }, (_, index) => spanFixture({ spanId: id(index + 70_000) }));
    const { rows, outcomes } = digestBytes(
      encodeTraces([groupOf(...many), groupOf(...others), groupOf(spanFixture())]),
    );
    expect(rows.spans).toHaveLength(ELEMENTS_MAX);
    expect(outcomes).toEqual([
      { category: 'span', outcome: 'accepted', reason: '', quantity: ELEMENTS_MAX },
      { category: 'span', outcome: 'invalid', reason: 'too_many_items', quantity: 4 },
    ]);
  });

  test('a large resource is not copied to so many spans that a small request becomes a large insert', () => {
    const payload = encodeTraces([
      {
        resource: [
          ['service.name', { string: 'shop' }],
          ...Array.from({ length: 30 }, (_, index) => [`k${index}`, { string: 'x'.repeat(200) }] as const),
        ],
        elements: Array.from({ length: 5_000 }, (_, index) => spanFixture({ spanId: id(index) })),
      },
    ]);
    const spans = digestBytes(payload).rows.spans ?? [];
    expect(spans).toHaveLength(5_000);
    expect(spans[0]?.attributes).toHaveProperty('resource.k29');
    expect(spans.at(-1)?.attributes).toEqual({
      'service.name': 'shop',
      'sentry.origin': 'auto.otlp.spans',
    });
    const copied = spans.reduce((sum, { attributes }) => sum + JSON.stringify(attributes).length, 0);
    expect(copied).toBeLessThan(payload.length * 25);
  });
});
