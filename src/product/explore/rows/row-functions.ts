import { invalid } from '#lib/errors.ts';
import { readAggregateKey } from '#product/search/syntax/read-key.ts';
import type { Aggregate, AskedField } from '#storage/ports/explore-rows.ts';
import { type ExploreDataset, readRowField } from './row-fields.ts';

/** What a number is: how it is written, and what a chart's axis says. Durations are milliseconds, dates since the epoch. */
export type NumberType = 'integer' | 'number' | 'duration' | 'percentage' | 'rate' | 'date';

/** A function over the rows of a group, such as `p95(span.duration)`. */
export type RowFunction = {
  /** As it was written. */
  name: string;
  type: NumberType;
  /** For a range, or a bucket, of so many seconds. */
  over(seconds: number): Aggregate;
};

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

/** Response time up to which a user is satisfied, unless a question says otherwise. */
export const APDEX_THRESHOLD_MS = 300;
const FUNCTION_CHARACTERS_MAX = 200;

export const isFunction = (name: string): boolean => name.includes('(');

/** As Sentry writes functions in sorts: `count`, `p95_span_duration`. */
export const plainFunctionName = (name: string): string =>
  name.replaceAll(/[(.]/g, '_').replaceAll(')', '').replace(/_+$/, '');

/** Reads `count()`, `p95(span.duration)`, `apdex(300)`, `percentile(value, 0.9)`. Throws Invalid. */
export function readFunction(dataset: ExploreDataset, written: string): RowFunction {
  const key = written.length <= FUNCTION_CHARACTERS_MAX ? readAggregateKey(written.trim(), 0) : null;
  if (key?.kind !== 'aggregate' || key.end !== written.trim().length) {
    throw invalid(`"${written.slice(0, 80)}" is not a function: write it as count() or p95(field)`, 'field');
  }
  const parameters = key.parameters.map((each) => each?.text.replaceAll('"', '') ?? '');
  const known = make(dataset, key.name, parameters, written);
  if (known) return { name: written, ...known };
  throw invalid(
    `"${key.name.slice(0, 80)}" is not available for ${dataset}: choose one of ${FUNCTION_NAMES.filter((name) => dataset === 'spans' || !OF_SPANS.has(name)).join(', ')}`,
    'field',
  );
}

/** Nothing else has a status. */
export const OF_SPANS: ReadonlySet<string> = new Set(['failure_rate', 'failure_count', 'apdex']);

function make(
  dataset: ExploreDataset,
  name: string,
  [first = '', second = '']: readonly string[],
  written: string,
): Omit<RowFunction, 'name'> | null {
  const always = (type: NumberType, aggregate: Aggregate) => ({ type, over: () => aggregate });
  switch (name) {
    case 'count':
      return always('integer', { kind: 'count' });
    case 'count_unique':
      return always('integer', { kind: 'count_unique', field: readRowField(dataset, first || 'user') });
    case 'epm':
    case 'tpm':
    case 'spm':
      return { type: 'rate', over: (seconds) => ({ kind: 'rate', seconds: seconds / 60 }) };
    case 'eps':
    case 'tps':
    case 'sps':
    case 'per_second':
      return { type: 'rate', over: (seconds) => ({ kind: 'rate', seconds }) };
    case 'last_seen':
      return always('date', { kind: 'last_seen' });
    case 'first_seen':
      return always('date', { kind: 'first_seen' });
    case 'min':
    case 'max':
      if (first === 'timestamp') {
        return always('date', { kind: name === 'min' ? 'first_seen' : 'last_seen' });
      }
  }
  switch (name) {
    case 'avg':
    case 'sum':
    case 'min':
    case 'max':
      return always(...measured(dataset, first, (field) => ({ kind: name, field })));
    case 'percentile': {
      const level = Number(second);
      if (!(level >= 0 && level <= 1) || second === '') {
        throw invalid(`"${written.slice(0, 80)}" needs a level between 0 and 1, such as 0.95`, 'field');
      }
      return always(...measured(dataset, first, (field) => ({ kind: 'quantile', level, field })));
    }
    case 'failure_rate':
      return dataset === 'spans' ? always('percentage', { kind: 'failure_rate' }) : null;
    case 'failure_count':
      return dataset === 'spans' ? always('integer', { kind: 'failure_count' }) : null;
    case 'apdex':
      return dataset === 'spans'
        ? always('number', { kind: 'apdex', thresholdMs: readThreshold(first) })
        : null;
  }
  const percent = /^p(\d{1,2}|100)$/.exec(name)?.[1];
  if (percent === undefined) return null;
  const level = Number(percent) / 100;
  return always(...measured(dataset, first, (field) => ({ kind: 'quantile', level, field })));
}

/** Of a field, or of what a row of the dataset measures. */
function measured(
  dataset: ExploreDataset,
  written: string,
  make: (field: AskedField) => Aggregate,
): [NumberType, Aggregate] {
  const name = written || (dataset === 'metrics' ? 'value' : dataset === 'spans' ? 'span.duration' : '');
  if (name === '')
    throw invalid('Name the attribute to calculate with, such as avg(http.response.size)', 'field');
  const field = readRowField(dataset, name);
  const isDuration = field.kind === 'row' && field.name === 'duration';
  return [isDuration || isTimeName(name) ? 'duration' : 'number', make(field)];
}

/** Web vitals that are times, as SDKs measure them (layout shift is none), and how long a message waited. */
const isTimeName = (name: string): boolean =>
  /(?:^|\.)(?:lcp|fcp|inp|ttfb|fp|fid)$/.test(name) ||
  name.endsWith('.duration_ms') ||
  name === 'messaging.message.receive.latency';

function readThreshold(written: string): number {
  if (written === '') return APDEX_THRESHOLD_MS;
  const thresholdMs = Number(written);
  if (thresholdMs > 0 && Number.isFinite(thresholdMs)) return thresholdMs;
  throw invalid('apdex() needs a threshold in milliseconds, such as apdex(300)', 'field');
}
