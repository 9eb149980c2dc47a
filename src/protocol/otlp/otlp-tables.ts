/**
 * The messages of OTLP by field number, as far as they are read.
 * Source: https://github.com/open-telemetry/opentelemetry-proto (common, resource, trace, logs and metrics, v1).
 */

export type ScalarKind =
  | 'text'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed64';

/** `name` is that of the JSON encoding; `message` is called only when it is met, as values hold values. */
export type OtlpField =
  | { name: string; kind: ScalarKind }
  | { name: string; message: () => OtlpTable; isRepeated: boolean };

export type OtlpTable = Readonly<Record<number, OtlpField>>;

const one = (name: string, message: () => OtlpTable): OtlpField => ({ name, message, isRepeated: false });
const many = (name: string, message: () => OtlpTable): OtlpField => ({ name, message, isRepeated: true });
const text = (name: string): OtlpField => ({ name, kind: 'text' });
const hex = (name: string): OtlpField => ({ name, kind: 'hex' });

const VALUE: OtlpTable = {
  1: text('stringValue'),
  2: { name: 'boolValue', kind: 'bool' },
  3: { name: 'intValue', kind: 'int64' },
  4: { name: 'doubleValue', kind: 'double' },
  5: one('arrayValue', () => ARRAY_VALUE),
  6: one('kvlistValue', () => KEY_VALUE_LIST),
  7: { name: 'bytesValue', kind: 'base64' },
};
const ARRAY_VALUE: OtlpTable = { 1: many('values', () => VALUE) };
const KEY_VALUE: OtlpTable = { 1: text('key'), 2: one('value', () => VALUE) };
const KEY_VALUE_LIST: OtlpTable = { 1: many('values', () => KEY_VALUE) };
const RESOURCE: OtlpTable = { 1: many('attributes', () => KEY_VALUE) };
const SCOPE: OtlpTable = { 1: text('name'), 2: text('version'), 3: many('attributes', () => KEY_VALUE) };

const EVENT: OtlpTable = {
  1: { name: 'timeUnixNano', kind: 'fixed64' },
  2: text('name'),
  3: many('attributes', () => KEY_VALUE),
};
const LINK: OtlpTable = {
  1: hex('traceId'),
  2: hex('spanId'),
  4: many('attributes', () => KEY_VALUE),
  6: { name: 'flags', kind: 'fixed32' },
};
const STATUS: OtlpTable = { 2: text('message'), 3: { name: 'code', kind: 'int32' } };
const SPAN: OtlpTable = {
  1: hex('traceId'),
  2: hex('spanId'),
  3: text('traceState'),
  4: hex('parentSpanId'),
  5: text('name'),
  6: { name: 'kind', kind: 'int32' },
  7: { name: 'startTimeUnixNano', kind: 'fixed64' },
  8: { name: 'endTimeUnixNano', kind: 'fixed64' },
  9: many('attributes', () => KEY_VALUE),
  11: many('events', () => EVENT),
  13: many('links', () => LINK),
  15: one('status', () => STATUS),
  16: { name: 'flags', kind: 'fixed32' },
};
const SCOPE_SPANS: OtlpTable = { 1: one('scope', () => SCOPE), 2: many('spans', () => SPAN) };
const RESOURCE_SPANS: OtlpTable = {
  1: one('resource', () => RESOURCE),
  2: many('scopeSpans', () => SCOPE_SPANS),
};
export const TRACES_DATA: OtlpTable = { 1: many('resourceSpans', () => RESOURCE_SPANS) };

const LOG_RECORD: OtlpTable = {
  1: { name: 'timeUnixNano', kind: 'fixed64' },
  2: { name: 'severityNumber', kind: 'int32' },
  3: text('severityText'),
  5: one('body', () => VALUE),
  6: many('attributes', () => KEY_VALUE),
  8: { name: 'flags', kind: 'fixed32' },
  9: hex('traceId'),
  10: hex('spanId'),
  11: { name: 'observedTimeUnixNano', kind: 'fixed64' },
  12: text('eventName'),
};
const SCOPE_LOGS: OtlpTable = { 1: one('scope', () => SCOPE), 2: many('logRecords', () => LOG_RECORD) };
const RESOURCE_LOGS: OtlpTable = {
  1: one('resource', () => RESOURCE),
  2: many('scopeLogs', () => SCOPE_LOGS),
};
export const LOGS_DATA: OtlpTable = { 1: many('resourceLogs', () => RESOURCE_LOGS) };

const TIME: OtlpField = { name: 'timeUnixNano', kind: 'fixed64' };
const double = (name: string): OtlpField => ({ name, kind: 'double' });
const FLAGS: OtlpField = { name: 'flags', kind: 'int32' };
const COUNT: OtlpField = { name: 'count', kind: 'fixed64' };
const TEMPORALITY: OtlpField = { name: 'aggregationTemporality', kind: 'int32' };
const NUMBER_POINT: OtlpTable = {
  3: TIME,
  4: double('asDouble'),
  6: { name: 'asInt', kind: 'sfixed64' },
  7: many('attributes', () => KEY_VALUE),
  8: FLAGS,
};
const HISTOGRAM_POINT: OtlpTable = {
  3: TIME,
  4: COUNT,
  5: double('sum'),
  9: many('attributes', () => KEY_VALUE),
  10: FLAGS,
  11: double('min'),
  12: double('max'),
};
const EXPONENTIAL_POINT: OtlpTable = {
  1: many('attributes', () => KEY_VALUE),
  3: TIME,
  4: COUNT,
  5: double('sum'),
  10: FLAGS,
  12: double('min'),
  13: double('max'),
};
const QUANTILE: OtlpTable = { 1: double('quantile'), 2: double('value') };
const SUMMARY_POINT: OtlpTable = {
  3: TIME,
  4: COUNT,
  5: double('sum'),
  6: many('quantileValues', () => QUANTILE),
  7: many('attributes', () => KEY_VALUE),
  8: FLAGS,
};
const GAUGE: OtlpTable = { 1: many('dataPoints', () => NUMBER_POINT) };
const SUM: OtlpTable = { 1: many('dataPoints', () => NUMBER_POINT), 2: TEMPORALITY };
const HISTOGRAM: OtlpTable = { 1: many('dataPoints', () => HISTOGRAM_POINT), 2: TEMPORALITY };
const EXPONENTIAL: OtlpTable = { 1: many('dataPoints', () => EXPONENTIAL_POINT), 2: TEMPORALITY };
const SUMMARY: OtlpTable = { 1: many('dataPoints', () => SUMMARY_POINT) };
const METRIC: OtlpTable = {
  1: text('name'),
  3: text('unit'),
  5: one('gauge', () => GAUGE),
  7: one('sum', () => SUM),
  9: one('histogram', () => HISTOGRAM),
  10: one('exponentialHistogram', () => EXPONENTIAL),
  11: one('summary', () => SUMMARY),
};
const SCOPE_METRICS: OtlpTable = { 1: one('scope', () => SCOPE), 2: many('metrics', () => METRIC) };
const RESOURCE_METRICS: OtlpTable = {
  1: one('resource', () => RESOURCE),
  2: many('scopeMetrics', () => SCOPE_METRICS),
};
export const METRICS_DATA: OtlpTable = { 1: many('resourceMetrics', () => RESOURCE_METRICS) };
