import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TelemetryRows } from '#protocol/telemetry.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { encodeLogs, encodeTraces } from '../fixtures/otlp-fixture.ts';
import { transaction } from '../fixtures/trace-fixture.ts';
import type { DigestItem, ItemResult, RawItem } from '../item.ts';
import { digestLogContainer } from '../logs/digest-log-container.ts';
import { digestOtlpLogs } from '../logs/digest-otlp-logs.ts';
import { digestMetricContainer } from '../metrics/digest-metric-container.ts';
import { digestOtlpMetrics } from '../metrics/digest-otlp-metrics.ts';
import { digestStatsd } from '../metrics/digest-statsd.ts';
import { digestOtlpTraces, digestSpan, digestSpanContainer } from '../traces/digest-spans.ts';
import { digestTransaction } from '../traces/digest-transaction.ts';
import { SPAN_AGE_MAX_US, SPAN_AHEAD_MAX_US } from './limits.ts';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';
const SECONDS = 1_790_000_005;
const NANOS = '1790000005000000000';
const typed = { a: { type: 'string', value: 'x' }, b: { type: 'integer', value: 5 } };
const pairs = [
  { key: 'a', value: { stringValue: 'x' } },
  { key: 'b', value: { kvlistValue: { values: [{ key: 'c', value: { intValue: '5' } }] } } },
];
const resource = { attributes: pairs };

/** One whole payload of every kind, to be broken at every place. */
const KINDS: readonly { digest: DigestItem; payload: object; item: Partial<RawItem> }[] = [
  { digest: digestTransaction, payload: transaction(), item: {} },
  {
    digest: digestSpan,
    payload: {
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      start_timestamp: SECONDS,
      timestamp: SECONDS + 1,
      data: { a: 1 },
    },
    item: {},
  },
  {
    digest: digestSpanContainer,
    payload: {
      version: 2,
      ingest_settings: { infer_ip: 'auto' },
      items: [
        {
          trace_id: TRACE_ID,
          span_id: SPAN_ID,
          name: 'n',
          status: 'ok',
          start_timestamp: SECONDS,
          end_timestamp: SECONDS + 1,
          attributes: typed,
          links: [{ trace_id: TRACE_ID, span_id: SPAN_ID }],
        },
      ],
    },
    item: { itemCount: 1 },
  },
  {
    digest: digestLogContainer,
    payload: {
      items: [
        {
          timestamp: SECONDS,
          trace_id: TRACE_ID,
          level: 'info',
          body: 'b',
          severity_number: 9,
          attributes: typed,
        },
      ],
    },
    item: { itemCount: 1 },
  },
  {
    digest: digestMetricContainer,
    payload: {
      items: [
        {
          timestamp: SECONDS,
          trace_id: TRACE_ID,
          name: 'n',
          type: 'gauge',
          unit: 'ms',
          value: 1,
          attributes: typed,
        },
      ],
    },
    item: { itemCount: 1 },
  },
  {
    digest: digestOtlpMetrics,
    payload: {
      resourceMetrics: [
        {
          resource,
          scopeMetrics: [
            {
              scope: { name: 's' },
              metrics: [
                {
                  name: 'n',
                  unit: 'ms',
                  histogram: {
                    aggregationTemporality: 1,
                    dataPoints: [{ timeUnixNano: NANOS, count: '2', sum: 3, min: 1, attributes: pairs }],
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    item: { contentType: 'application/json' },
  },
  {
    digest: digestOtlpTraces,
    payload: {
      resourceSpans: [
        {
          resource,
          scopeSpans: [
            {
              scope: { name: 's', version: '1', attributes: pairs },
              spans: [
                {
                  traceId: TRACE_ID,
                  spanId: SPAN_ID,
                  name: 'n',
                  kind: 2,
                  startTimeUnixNano: NANOS,
                  endTimeUnixNano: NANOS,
                  attributes: pairs,
                  events: [{ name: 'e', attributes: pairs }],
                  links: [{ traceId: TRACE_ID, spanId: SPAN_ID, attributes: pairs }],
                  status: { code: 2, message: 'm' },
                  flags: 257,
                },
              ],
            },
          ],
        },
      ],
    },
    item: { contentType: 'application/json' },
  },
  {
    digest: digestOtlpLogs,
    payload: {
      resourceLogs: [
        {
          resource,
          scopeLogs: [
            {
              scope: { name: 's' },
              logRecords: [
                {
                  timeUnixNano: NANOS,
                  severityNumber: 9,
                  severityText: 'INFO',
                  body: { stringValue: 'b' },
                  attributes: pairs,
                  traceId: TRACE_ID,
                  spanId: SPAN_ID,
                },
              ],
            },
          ],
        },
      ],
    },
    item: { contentType: 'application/json' },
  },
];

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '__proto__',
    '{{auto}}',
    '',
    TRACE_ID,
    SPAN_ID,
    NANOS,
    '2026-09-21T14:13:25Z',
  ),
);
const value = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, 0, -1, 1e300, SECONDS, 253_402_300_799),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
  ),
})).tree;

describe.each(KINDS.map((kind) => [kind.digest.name, kind] as const))(
  '%s',
  (_, { digest, payload, item }) => {
    const run = (bytes: unknown): ItemResult =>
      digest(rawItem('any', bytes, item), itemContext({ sentAtMs: null, userAgent: '\ud800\0' }));

    test('the whole payload is stored', () => {
      const { rows, outcomes } = run(payload);
      expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
      expect(Object.values(rows).flat().length).toBeGreaterThan(0);
      expectWellFormed(run(payload));
    });

    test('with any node replaced by anything, nothing throws and rows are well-formed', () => {
      fc.assert(
        fc.property(fc.nat(), value, (index, tree) => {
          expectWellFormed(run(Buffer.from(JSON.stringify(replaceNode(payload, index, tree)))));
        }),
        { numRuns: 400 },
      );
    });

    test('any JSON and any bytes are understood or refused', () => {
      fc.assert(fc.property(value, (tree) => expectWellFormed(run(Buffer.from(JSON.stringify(tree))))));
      fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectWellFormed(run(bytes))));
    });

    test('a payload cut anywhere or with a broken byte is understood or refused', () => {
      const whole = Buffer.from(JSON.stringify(payload));
      fc.assert(
        fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
          const bytes = cut ? whole.subarray(0, at) : Buffer.from(whole);
          if (!cut) bytes[at] = byte;
          expectWellFormed(run(bytes));
        }),
      );
    });

    test('is deterministic', () => {
      expect(run(payload)).toEqual(run(payload));
    });
  },
);

describe('protobuf', () => {
  const traces = encodeTraces([
    {
      resource: [['service.name', { string: 'shop' }]],
      scope: { name: 's', version: '1' },
      elements: [
        {
          traceId: TRACE_ID,
          spanId: SPAN_ID,
          name: 'n',
          start: BigInt(NANOS),
          end: BigInt(NANOS),
          attributes: [['a', { array: [{ int: 1n }] }]],
          status: { code: 2 },
        },
      ],
    },
  ]);
  const logs = encodeLogs([
    { resource: [], elements: [{ time: BigInt(NANOS), body: { string: 'b' }, severityNumber: 9 }] },
  ]);

  test.each([
    ['traces', digestOtlpTraces, traces],
    ['logs', digestOtlpLogs, logs],
  ] as const)('broken %s are understood or refused', (_, digest, whole) => {
    const run = (bytes: Uint8Array) =>
      digest(rawItem('otlp', bytes, { contentType: 'application/x-protobuf' }), itemContext());
    expect(run(whole).outcomes).toMatchObject([{ outcome: 'accepted' }]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const bytes = cut ? whole.subarray(0, at) : Uint8Array.from(whole);
        if (!cut) bytes[at] = byte;
        expectWellFormed(run(bytes));
      }),
      { numRuns: 1_000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectWellFormed(run(bytes))));
  });
});

test('statsd of any bytes is understood or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expectWellFormed(digestStatsd(rawItem('statsd', bytes), itemContext()));
    }),
  );
});

/** Rows that every store takes, and an outcome for everything. */
function expectWellFormed(result: ItemResult): void {
  const json = JSON.stringify(result);
  expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(result.outcomes.length).toBeGreaterThan(0);
  const accepted: Record<string, number> = {};
  for (const { category, outcome, reason, quantity } of result.outcomes) {
    expect(Number.isSafeInteger(quantity) && quantity > 0).toBe(true);
    expect(reason === '').toBe(outcome === 'accepted');
    if (outcome === 'accepted') accepted[category] = (accepted[category] ?? 0) + quantity;
  }
  const { transactions = [], spans = [], logs = [], metrics = [] } = result.rows;
  expect(transactions.length).toBe(accepted.transaction ?? 0);
  expect(spans.length).toBe(accepted.span ?? 0);
  expect(logs.length).toBe(accepted.log_item ?? 0);
  if (accepted.statsd === undefined) expect(metrics.length).toBe(accepted.trace_metric ?? 0);
  for (const row of transactions) expectTransaction(row);
  for (const row of spans) expectSpan(row);
  for (const row of logs) expectLog(row);
  for (const row of metrics) expectMetric(row);
}

const RECEIVED_US = FIXTURES_RECEIVED_AT_MS * 1_000;
const isMoment = (us: number): boolean =>
  Number.isSafeInteger(us) && us >= RECEIVED_US - SPAN_AGE_MAX_US && us <= RECEIVED_US + SPAN_AHEAD_MAX_US;

function expectTransaction(row: TelemetryRows['transactions'][number]): void {
  expect(row.eventId).toMatch(/^[0-9a-f]{32}$/);
  expect(row.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(row.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(row.name).not.toBe('');
  expect(isMoment(row.startedAtUs) && isMoment(row.endedAtUs) && row.endedAtUs >= row.startedAtUs).toBe(true);
  expectColumns(row.op, row.status, row.platform, row.release, row.dist, row.environment);
  for (const number of Object.values(row.measurements)) expect(Number.isFinite(number)).toBe(true);
}

function expectSpan(row: TelemetryRows['spans'][number]): void {
  expect(row.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(row.spanId).toMatch(/^[0-9a-f]{16}$/);
  for (const id of [row.parentSpanId, row.segmentId]) if (id !== null) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(isMoment(row.startedAtUs)).toBe(true);
  expect(Number.isSafeInteger(row.durationUs) && row.durationUs >= 0).toBe(true);
  expect(row.name).not.toBe('');
  expectColumns(row.op, row.status, row.kind, row.origin, row.platform, row.sdkName, row.release, row.userId);
  expectAttributes(row.attributes);
}

function expectLog(row: TelemetryRows['logs'][number]): void {
  expect(row.rowId).toMatch(/^[0-9a-f]{32}$/);
  expect(isMoment(row.occurredAtUs)).toBe(true);
  expect(row.severityNumber >= 1 && row.severityNumber <= 24).toBe(true);
  expect(typeof row.body).toBe('string');
  expectColumns(row.release, row.environment, row.sdkName);
  expectAttributes(row.attributes);
}

function expectMetric(row: TelemetryRows['metrics'][number]): void {
  expect(row.rowId).toMatch(/^[0-9a-f]{32}$/);
  expect(isMoment(row.occurredAtUs)).toBe(true);
  expect(Number.isFinite(row.value)).toBe(true);
  expect(row.name).toMatch(/^[\w./]+$/);
  expectAttributes(row.attributes);
}

const expectColumns = (...columns: readonly (string | null)[]): void => {
  for (const column of columns) expect((column ?? '').length).toBeLessThanOrEqual(300);
};

function expectAttributes(attributes: Readonly<Record<string, unknown>>): void {
  for (const attribute of Object.values(attributes)) {
    expect(['string', 'boolean', 'number']).toContain(typeof attribute);
    if (typeof attribute === 'number') expect(Number.isFinite(attribute)).toBe(true);
  }
}

/** The tree with one of its nodes, counted depth first, replaced. */
function replaceNode(root: unknown, index: number, replacement: unknown): unknown {
  let left = index % countNodes(root);
  const walk = (node: unknown): unknown => {
    if (left === 0) {
      left -= 1;
      return replacement;
    }
    left -= 1;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, walk(each)]));
  };
  return walk(root);
}

function countNodes(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1;
  return Object.values(node).reduce((sum: number, each) => sum + countNodes(each), 1);
}
