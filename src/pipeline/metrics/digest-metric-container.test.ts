import { expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestMetricContainer } from './digest-metric-container.ts';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const OCCURRED = 1_790_000_005.5;

const metric = (fields: object = {}) => ({
  timestamp: OCCURRED,
  trace_id: TRACE_ID,
  span_id: 'eee19b7ec3c1b174',
  name: 'http.request.duration',
  type: 'distribution',
  unit: 'millisecond',
  value: 123.45,
  attributes: {
    'http.method': { type: 'string', value: 'GET' },
    'sentry.release': { type: 'string', value: 'shop@1.0.0' },
    'sentry.environment': { type: 'string', value: 'production' },
  },
  ...fields,
});

const digest = (items: readonly unknown[]) =>
  digestMetricContainer(
    rawItem(
      'trace_metric',
      { items },
      {
        contentType: 'application/vnd.sentry.items.trace-metric+json',
        itemCount: items.length,
      },
    ),
    itemContext(),
  );

test('a metric is a row', () => {
  const { rows, outcomes } = digest([metric()]);
  expect(outcomes).toEqual([{ category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 1 }]);
  expect(rows.metrics).toEqual([
    {
      organizationId: 1,
      projectId: 2,
      keyId: 3,
      receivedAt: FIXTURES_RECEIVED_AT_MS,
      rowId: expect.stringMatching(/^[0-9a-f]{32}$/),
      occurredAtUs: OCCURRED * 1_000_000,
      name: 'http.request.duration',
      type: 'distribution',
      unit: 'millisecond',
      value: 123.45,
      traceId: TRACE_ID,
      spanId: 'eee19b7ec3c1b174',
      source: 'trace_metric',
      release: 'shop@1.0.0',
      environment: 'production',
      attributes: {
        'http.method': 'GET',
        'sentry.release': 'shop@1.0.0',
        'sentry.environment': 'production',
      },
    },
  ]);
});

test.each([
  [
    { type: 'counter', unit: undefined, value: 1 },
    { type: 'counter', unit: 'none', value: 1 },
  ],
  [
    { type: 'gauge', unit: 'ms', value: -3 },
    { type: 'gauge', unit: 'millisecond', value: -3 },
  ],
  [{ unit: 'Widgets' }, { unit: 'widgets' }],
  [{ name: 'foo!@#bar baz' }, { name: 'foo_bar_baz' }],
  [
    { trace_id: null, span_id: 5 },
    { traceId: null, spanId: null },
  ],
])('%j is stored as %j', (sent, row) => {
  expect(digest([metric(sent)]).rows.metrics).toMatchObject([row]);
});

test('each bad element has its outcome, the others are stored', () => {
  const { rows, outcomes } = digest([
    null,
    metric({ name: '  ' }),
    metric({ name: null }),
    metric({ type: 'set' }),
    metric({ value: 'many' }),
    metric({ value: null }),
    metric({ timestamp: null }),
    metric(),
  ]);
  expect(rows.metrics).toHaveLength(1);
  expect(outcomes).toEqual([
    { category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 1 },
    { category: 'trace_metric', outcome: 'invalid', reason: 'invalid_trace_metric', quantity: 6 },
    { category: 'trace_metric', outcome: 'invalid', reason: 'timestamp', quantity: 1 },
  ]);
});

testInFull('what does not match its header, and what is beyond the bound, is counted', () => {
  const item = rawItem('trace_metric', { items: [metric(), metric()] }, { itemCount: 1 });
  expect(digestMetricContainer(item, itemContext()).outcomes).toEqual([
    { category: 'trace_metric', outcome: 'invalid', reason: 'item_count_mismatch', quantity: 2 },
  ]);
  const { rows, outcomes } = digest(Array.from({ length: ELEMENTS_MAX + 2 }, () => metric()));
  expect(rows.metrics).toHaveLength(ELEMENTS_MAX);
  expect(outcomes[1]).toMatchObject({ reason: 'too_many_items', quantity: 2 });
});
