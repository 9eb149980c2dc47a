import { readAggregateKey } from '#product/search/syntax/read-key.ts';
import type { RowDataset } from '#storage/ports/explore-rows.ts';
import { rowKeyNamed } from './row-keys.ts';

// Apart from what the functions are calculated by, so that forms in the browser know the unit of one.

/** What a number is: how it is written, and what a chart's axis says. Durations are milliseconds, dates since the epoch. */
export type NumberType = 'integer' | 'number' | 'duration' | 'percentage' | 'rate' | 'date';

/** What the functions offer, in the order of a menu; those with a field take any number. */
export const FUNCTION_NAMES = [
  'count',
  'count_unique',
  'epm',
  'eps',
  'avg',
  'sum',
  'min',
  'max',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'p100',
  'failure_rate',
  'failure_count',
  'apdex',
  'first_seen',
  'last_seen',
] as const;

/** Others have no status, and no duration that a user waits for. */
export const SPAN_FUNCTIONS: ReadonlySet<string> = new Set(['failure_rate', 'failure_count', 'apdex']);

/** Functions that are calculated without a field. */
export const FIELDLESS_FUNCTIONS: ReadonlySet<string> = new Set([
  'count',
  'epm',
  'eps',
  'first_seen',
  'last_seen',
  ...SPAN_FUNCTIONS,
]);

const FUNCTION_CHARACTERS_MAX = 200;

export type WrittenFunction = { name: string; parameters: readonly string[] };

/** The parts of `percentile(value, 0.9)`; null for what is no function. */
export function splitFunction(written: string): WrittenFunction | null {
  const text = written.trim();
  const key = text.length <= FUNCTION_CHARACTERS_MAX ? readAggregateKey(text, 0) : null;
  if (key?.kind !== 'aggregate' || key.end !== text.length) return null;
  return { name: key.name, parameters: key.parameters.map((each) => each?.text.replaceAll('"', '') ?? '') };
}

const TYPES: Readonly<Record<string, NumberType>> = {
  count: 'integer',
  count_unique: 'integer',
  failure_count: 'integer',
  failure_rate: 'percentage',
  apdex: 'number',
  epm: 'rate',
  tpm: 'rate',
  spm: 'rate',
  eps: 'rate',
  tps: 'rate',
  sps: 'rate',
  per_second: 'rate',
  first_seen: 'date',
  last_seen: 'date',
};

/** Rates per minute; the others are per second. */
export const isPerMinute = (name: string): boolean => /^[ets]pm$/.test(name);

/** Of a function that there is: calculated of a field, it is as what the field measures. */
export function functionType(
  dataset: RowDataset | 'errors',
  { name, parameters: [first = ''] }: WrittenFunction,
): NumberType {
  const known = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (known) return known;
  if (first === 'timestamp') return 'date';
  const field = first || measuredByDefault(dataset);
  if (dataset === 'errors') return isTimeName(field) ? 'duration' : 'number';
  const key = rowKeyNamed(dataset, field);
  return (key.kind === 'field' && key.isDuration) || isTimeName(field) ? 'duration' : 'number';
}

/** What a row of the dataset measures; empty for lines and errors, which measure nothing. */
export const measuredByDefault = (dataset: RowDataset | 'errors'): string =>
  ({ spans: 'span.duration', logs: '', metrics: 'value', errors: '' })[dataset];

/** Web vitals that are times, as SDKs measure them (layout shift is none), and how long a message waited. */
const isTimeName = (name: string): boolean =>
  /(?:^|\.)(?:lcp|fcp|inp|ttfb|fp|fid)$/.test(name) ||
  name.endsWith('.duration_ms') ||
  name === 'messaging.message.receive.latency';
