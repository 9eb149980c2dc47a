import { describe, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { encodeLogs, type LogFixture } from '../fixtures/otlp-fixture.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestOtlpLogs } from './digest-otlp-logs.ts';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';
const TIME = 1_790_000_005_300_000_000n;

const digestBinary = (...elements: LogFixture[]) =>
  digestOtlpLogs(
    rawItem(
      'otlp_logs',
      encodeLogs([
        {
          resource: [
            ['service.name', { string: 'shop' }],
            ['service.version', { string: '2.0.0' }],
            ['deployment.environment', { string: 'staging' }],
          ],
          scope: { name: 'my.library', version: '1.0.0' },
          elements,
        },
      ]),
      { contentType: 'application/x-protobuf' },
    ),
    itemContext(),
  );
const stored = (record: LogFixture) => digestBinary(record).rows.logs?.[0];
const digestJson = (payload: unknown) =>
  digestOtlpLogs(rawItem('otlp_logs', payload, { contentType: 'application/json' }), itemContext());
const jsonRecord = (record: object) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: String(TIME), ...record }] }] }],
});

test('a record is a row', () => {
  const { rows, outcomes } = digestBinary({
    time: TIME,
    observed: TIME + 5n,
    severityNumber: 18,
    severityText: 'ERROR2',
    body: { string: 'Example log record' },
    attributes: [
      ['int.attribute', { int: 10n }],
      ['map.attribute', { list: [['some.key', { string: 'some value' }]] }],
    ],
    traceId: TRACE_ID,
    spanId: SPAN_ID,
  });
  expect(outcomes).toEqual([{ category: 'log_item', outcome: 'accepted', reason: '', quantity: 1 }]);
  expect(rows.logs).toMatchObject([
    {
      rowId: expect.stringMatching(/^[0-9a-f]{32}$/),
      occurredAtUs: 1_790_000_005_300_000,
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      level: 'error',
      severityNumber: 18,
      body: 'Example log record',
      source: 'otlp',
      release: '2.0.0',
      environment: 'staging',
      attributes: {
        'int.attribute': 10,
        'map.attribute': '{"some.key":"some value"}',
        'resource.service.name': 'shop',
        'instrumentation.name': 'my.library',
        'sentry.origin': 'auto.otlp.logs',
      },
    },
  ]);
});

test.each([
  [{ severityNumber: 4 }, 'trace', 4],
  [{ severityNumber: 13, severityText: 'error' }, 'warn', 13],
  [{ severityText: 'Warning' }, 'warn', 13],
  [{ severityText: 'unheard of' }, 'info', 9],
  [{ severityNumber: 99, severityText: 'fatal' }, 'info', 9],
  [{}, 'info', 9],
])('%j is of level %s and severity %i', (record, level, severityNumber) => {
  expect(stored({ time: TIME, body: { string: 'x' }, ...record })).toMatchObject({ level, severityNumber });
});

test.each([
  ['SEVERITY_NUMBER_INFO', 'info', 9],
  ['SEVERITY_NUMBER_ERROR3', 'error', 19],
  ['SEVERITY_NUMBER_FATAL4', 'fatal', 24],
])('%s by name', (severityNumber, level, number) => {
  expect(digestJson(jsonRecord({ severityNumber, body: { stringValue: 'x' } })).rows.logs).toMatchObject([
    { level, severityNumber: number },
  ]);
});

test('without its own time a record is as old as its observation, or as its arrival', () => {
  expect(stored({ observed: TIME })).toMatchObject({ occurredAtUs: 1_790_000_005_300_000 });
  expect(stored({})).toMatchObject({ occurredAtUs: FIXTURES_RECEIVED_AT_MS * 1_000 });
});

test.each<{ record: LogFixture; body: string }>([
  { record: { body: { int: 5n } }, body: '5' },
  { record: { body: { list: [['a', { bool: true }]] } }, body: '{"a":true}' },
  { record: { eventName: 'user.signup' }, body: 'user.signup' },
  { record: {}, body: '' },
])('the body is $body', ({ record, body }) => {
  expect(stored({ time: TIME, ...record })).toMatchObject({ body });
});

test('ids that are none are absent', () => {
  expect(stored({ time: TIME, traceId: '0'.repeat(32), spanId: 'ab' })).toMatchObject({
    traceId: null,
    spanId: null,
  });
});

describe('bounds', () => {
  testInFull('records beyond the bound are counted', () => {
    const { rows, outcomes } = digestBinary(
      ...Array.from({ length: ELEMENTS_MAX + 2 }, () => ({ time: TIME, body: { string: 'x' } })),
    );
    expect(rows.logs).toHaveLength(ELEMENTS_MAX);
    expect(outcomes[1]).toMatchObject({ outcome: 'invalid', reason: 'too_many_items', quantity: 2 });
  });

  test.each([
    ['no JSON', Buffer.from('[')],
    ['no list', { resourceLogs: 'x' }],
  ])('%s is refused', (_, payload) => {
    expect(digestJson(payload)).toMatchObject({
      rows: {},
      outcomes: [{ category: 'log_item', outcome: 'invalid', reason: 'invalid_otlp', quantity: 1 }],
    });
  });

  test('__proto__ and lone surrogates harm nothing', () => {
    const { rows } = digestJson(
      Buffer.from(
        JSON.stringify(
          jsonRecord({
            body: { kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'p' } }] } },
            attributes: [{ key: '__proto__', value: { stringValue: 'polluted' } }],
            eventName: 'lone',
          }),
        ).replace('lone', '\\ud800\\u0000'),
      ),
    );
    expect(rows.logs?.[0]?.attributes).toEqual({
      'event.name': '\ufffd\ufffd',
      'sentry.origin': 'auto.otlp.logs',
      'errata.dropped_attributes': 1,
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
