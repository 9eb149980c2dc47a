import type { DigestedMetric } from '#protocol/telemetry.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';

/** One number of a data point. */
export type PointValue = {
  name: unknown;
  type: DigestedMetric['type'];
  unit: unknown;
  value: number | null;
  /** The data point that it is of. */
  point: Source;
  /** Attributes that the point has only as fields. */
  extra: Readonly<Record<string, number>>;
};

/** The first bit of a point's flags: it only says that there is no value. */
const NO_RECORDED_VALUE = 1;

/**
 * The numbers of an OTLP metric, in the order they were sent; null when it has no data that is known.
 *
 * A gauge, and a sum that goes on from the start of its process, are gauges; a sum of what happened since the point before
 * is a counter. Of histograms and summaries, whose single values nobody sent, there are the count and the sum, by the
 * same rule, and the least and greatest value or the quantiles as gauges.
 * Source: https://github.com/open-telemetry/opentelemetry-proto (metrics, v1).
 */
export function readOtlpMetric(metric: Source): Iterable<PointValue> | null {
  const { name } = metric;
  const of = (
    point: Source,
    type: DigestedMetric['type'],
    suffix: string,
    value: unknown,
    unit: unknown = metric.unit,
    extra: PointValue['extra'] = {},
  ): PointValue => ({
    name: typeof name === 'string' ? `${name}${suffix}` : name,
    type,
    unit: unitOf(unit),
    value: numberOf(value),
    point,
    extra,
  });
  if (isSource(metric.gauge)) {
    return each(metric.gauge, (point) => [of(point, 'gauge', '', numberIn(point))]);
  }
  if (isSource(metric.sum)) {
    const type = sumType(metric.sum);
    return each(metric.sum, (point) => [of(point, type, '', numberIn(point))]);
  }
  const histogram = metric.histogram ?? metric.exponentialHistogram;
  if (isSource(histogram)) {
    const type = sumType(histogram);
    return each(histogram, (point) => [
      of(point, type, '.count', point.count, ''),
      ...(isSent(point.sum) ? [of(point, type, '.sum', point.sum)] : []),
      ...(isSent(point.min) ? [of(point, 'gauge', '.min', point.min)] : []),
      ...(isSent(point.max) ? [of(point, 'gauge', '.max', point.max)] : []),
    ]);
  }
  if (isSource(metric.summary)) {
    return each(metric.summary, (point) => [
      of(point, 'gauge', '.count', point.count, ''),
      of(point, 'gauge', '.sum', point.sum),
      ...listOf(point.quantileValues).map(({ quantile = 0, value = 0 }) =>
        of(point, 'gauge', '', value, metric.unit, { quantile: numberOf(quantile) ?? 0 }),
      ),
    ]);
  }
  return null;
}

const listOf = (value: unknown): readonly Source[] => (Array.isArray(value) ? value.filter(isSource) : []);

const pointsOf = ({ dataPoints }: Source): readonly Source[] =>
  listOf(dataPoints).filter(({ flags }) => ((numberOf(flags ?? 0) ?? 0) & NO_RECORDED_VALUE) === 0);

/** A value of 0 is sent, as it is one of two. */
const numberIn = ({ asDouble, asInt }: Source): unknown => asDouble ?? asInt ?? Number.NaN;

const isSent = (value: unknown): boolean => value !== undefined && value !== null;

/** One after the other: a hostile point without anything in it becomes several values. */
function* each(data: Source, valuesOf: (point: Source) => PointValue[]): Generator<PointValue> {
  for (const point of pointsOf(data)) yield* valuesOf(point);
}

/** 64-bit integers are text in JSON. A field that is 0 may be left out. */
function numberOf(sent: unknown): number | null {
  if (sent === undefined || sent === null) return 0;
  const value = typeof sent === 'string' && /^-?\d{1,20}$/.test(sent) ? Number(sent) : sent;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

const sumType = ({ aggregationTemporality }: Source): 'counter' | 'gauge' =>
  aggregationTemporality === 1 || aggregationTemporality === 'AGGREGATION_TEMPORALITY_DELTA'
    ? 'counter'
    : 'gauge';

/** Units of UCUM, as OpenTelemetry has them, whose names here are other ones. */
const UNITS: Readonly<Record<string, string>> = {
  '1': 'none',
  '%': 'percent',
  ns: 'nanosecond',
  us: 'microsecond',
  ms: 'millisecond',
  s: 'second',
  min: 'minute',
  h: 'hour',
  d: 'day',
  bit: 'bit',
  By: 'byte',
  kBy: 'kilobyte',
  KiBy: 'kibibyte',
  MBy: 'megabyte',
  MiBy: 'mebibyte',
  GBy: 'gigabyte',
  GiBy: 'gibibyte',
};

/** `{request}` is only for people to read. */
function unitOf(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  return Object.hasOwn(UNITS, sent) ? UNITS[sent] : sent.replace(/^\{(.*)\}$/, '$1');
}
