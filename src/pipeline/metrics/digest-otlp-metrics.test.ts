import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import {
  encodeMetrics,
  type MetricFixture,
  metricData,
  nested,
  writeAttributes,
} from '../fixtures/otlp-fixture.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestOtlpMetrics } from './digest-otlp-metrics.ts';

const TIME = 1_790_000_005_000_000_123n;
const AT_US = 1_790_000_005_000_000;

const digestBytes = (payload: Uint8Array) =>
  digestOtlpMetrics(
    rawItem('otlp_metrics', payload, { contentType: 'application/x-protobuf' }),
    itemContext(),
  );
const digestBinary = (...elements: MetricFixture[]) =>
  digestBytes(
    encodeMetrics([
      {
        resource: [
          ['service.name', { string: 'shop' }],
          ['service.version', { string: 'shop@2.0.0' }],
          ['deployment.environment.name', { string: 'staging' }],
        ],
        scope: { name: 'my.library', version: '1.0.0' },
        elements,
      },
    ]),
  );
const digestJson = (metrics: readonly unknown[]) =>
  digestOtlpMetrics(
    rawItem(
      'otlp_metrics',
      { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] },
      { contentType: 'application/json' },
    ),
    itemContext(),
  );

const time = (writer: BinaryWriter) => writer.tag(3, WireType.Bit64).fixed64(TIME);
const double = (writer: BinaryWriter, field: number, value: number) =>
  writer.tag(field, WireType.Bit64).double(value);
const rowsOf = ({ rows }: ReturnType<typeof digestOtlpMetrics>) =>
  (rows.metrics ?? []).map(({ name, type, unit, value }) => [name, type, unit, value]);

describe('OTLP metrics', () => {
  test('a gauge in protobuf becomes a row with the attributes of its point and its resource', () => {
    const point = (writer: BinaryWriter) => {
      time(writer);
      writer.tag(6, WireType.Bit64).sfixed64(-7n);
      writeAttributes(writer, 7, [['queue', { string: 'mail' }]]);
    };
    const { rows, outcomes } = digestBinary({
      name: 'queue.size',
      unit: '{job}',
      data: [5, metricData([point])],
    });
    expect(outcomes).toEqual([{ category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 1 }]);
    expect(rows.metrics).toEqual([
      {
        organizationId: 1,
        projectId: 2,
        keyId: 3,
        receivedAt: FIXTURES_RECEIVED_AT_MS,
        rowId: expect.stringMatching(/^[0-9a-f]{32}$/),
        occurredAtUs: AT_US,
        name: 'queue.size',
        type: 'gauge',
        unit: 'job',
        value: -7,
        traceId: null,
        spanId: null,
        source: 'otlp',
        release: 'shop@2.0.0',
        environment: 'staging',
        attributes: expect.objectContaining({
          queue: 'mail',
          'service.name': 'shop',
          'instrumentation.name': 'my.library',
          'sentry.origin': 'auto.otlp.metrics',
        }),
      },
    ]);
  });

  test.each([
    [1, 'counter'],
    [2, 'gauge'],
  ])('a sum of temporality %i is a %s', (temporality, type) => {
    const point = (writer: BinaryWriter) => {
      time(writer);
      double(writer, 4, 2.5);
    };
    const digested = digestBinary({ name: 'orders', unit: '1', data: [7, metricData([point], temporality)] });
    expect(rowsOf(digested)).toEqual([['orders', type, 'none', 2.5]]);
  });

  test('of histograms there are count, sum, least and greatest', () => {
    const histogram = (writer: BinaryWriter) => {
      time(writer);
      writer.tag(4, WireType.Bit64).fixed64(3n);
      double(writer, 5, 60);
      double(writer, 11, 10);
      double(writer, 12, 30);
    };
    const exponential = (writer: BinaryWriter) => {
      time(writer);
      writer.tag(4, WireType.Bit64).fixed64(2n);
      double(writer, 12, 1);
    };
    const digested = digestBinary(
      { name: 'duration', unit: 'ms', data: [9, metricData([histogram], 1)] },
      { name: 'size', unit: 'By', data: [10, metricData([exponential], 2)] },
    );
    expect(rowsOf(digested)).toEqual([
      ['duration.count', 'counter', 'none', 3],
      ['duration.sum', 'counter', 'millisecond', 60],
      ['duration.min', 'gauge', 'millisecond', 10],
      ['duration.max', 'gauge', 'millisecond', 30],
      ['size.count', 'gauge', 'none', 2],
      ['size.min', 'gauge', 'byte', 1],
    ]);
  });

  test('of summaries there are count, sum and quantiles', () => {
    const summary = (writer: BinaryWriter) => {
      time(writer);
      writer.tag(4, WireType.Bit64).fixed64(3n);
      double(writer, 5, 60);
      nested(writer, 6, () => {
        double(writer, 1, 0.5);
        double(writer, 2, 20);
      });
    };
    const digested = digestBinary({ name: 'gc', unit: 's', data: [11, metricData([summary])] });
    expect(rowsOf(digested)).toEqual([
      ['gc.count', 'gauge', 'none', 3],
      ['gc.sum', 'gauge', 'second', 60],
      ['gc', 'gauge', 'second', 20],
    ]);
    expect(digested.rows.metrics?.[2]?.attributes).toMatchObject({ quantile: 0.5 });
  });

  test('JSON is read as protobuf is, each point at its time', () => {
    const dataPoints = [
      { asInt: '9', timeUnixNano: String(TIME) },
      { asDouble: 0 },
      { flags: 1 },
      { asInt: 'x' },
      {},
    ];
    const { rows, outcomes } = digestJson([
      { name: 'a', sum: { aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA', dataPoints } },
      { name: 'no data' },
      null,
      { gauge: { dataPoints: [{ asInt: 1 }] } },
    ]);
    expect(rows.metrics).toMatchObject([
      { name: 'a', type: 'counter', value: 9, occurredAtUs: AT_US },
      { name: 'a', type: 'counter', value: 0, occurredAtUs: FIXTURES_RECEIVED_AT_MS * 1_000 },
    ]);
    expect(outcomes).toEqual([
      { category: 'trace_metric', outcome: 'accepted', reason: '', quantity: 2 },
      { category: 'trace_metric', outcome: 'invalid', reason: 'invalid_trace_metric', quantity: 5 },
    ]);
  });

  test('values beyond the bound are counted and not stored', () => {
    const dataPoints = Array.from({ length: ELEMENTS_MAX / 2 + 1 }, () => ({ count: 1, sum: 1 }));
    const { rows, outcomes } = digestJson([{ name: 'a', histogram: { dataPoints } }]);
    expect(rows.metrics).toHaveLength(ELEMENTS_MAX);
    expect(outcomes[1]).toMatchObject({ reason: 'too_many_items', quantity: 2 });
  });

  test('what cannot be read, and what is empty, has an outcome', () => {
    expect(digestBytes(Uint8Array.of(10, 200)).outcomes).toMatchObject([{ reason: 'invalid_otlp' }]);
    expect(digestBytes(new Uint8Array()).outcomes).toMatchObject([{ reason: 'no_data' }]);
  });
});
