import { invalid } from '#lib/errors.ts';
import type { Aggregate, AskedField } from '#storage/ports/explore-rows.ts';
import {
  FUNCTION_NAMES,
  functionType,
  isPerMinute,
  measuredByDefault,
  type NumberType,
  SPAN_FUNCTIONS,
  splitFunction,
} from './function-types.ts';
import { type ExploreDataset, readRowField } from './row-fields.ts';

/** A function over the rows of a group, such as `p95(span.duration)`. */
export type RowFunction = {
  /** As it was written. */
  name: string;
  type: NumberType;
  /** For a range, or a bucket, of so many seconds. */
  over(seconds: number): Aggregate;
};

/** Response time up to which a user is satisfied, unless a question says otherwise. */
export const APDEX_THRESHOLD_MS = 300;

export const isFunction = (name: string): boolean => name.includes('(');

/** As Sentry writes functions in sorts: `count`, `p95_span_duration`. */
export const plainFunctionName = (name: string): string =>
  name.replaceAll(/[(.]/g, '_').replaceAll(')', '').replace(/_+$/, '');

/** Reads `count()`, `p95(span.duration)`, `apdex(300)`, `percentile(value, 0.9)`. Throws Invalid. */
export function readFunction(dataset: ExploreDataset, written: string): RowFunction {
  const split = splitFunction(written);
  if (!split) {
    throw invalid(`"${written.slice(0, 80)}" is not a function: write it as count() or p95(field)`, 'field');
  }
  const over = make(dataset, split.name, split.parameters, written);
  if (over) return { name: written, type: functionType(dataset, split), over };
  throw invalid(
    `"${split.name.slice(0, 80)}" is not available for ${dataset}: choose one of ${FUNCTION_NAMES.filter((name) => dataset === 'spans' || !SPAN_FUNCTIONS.has(name)).join(', ')}`,
    'field',
  );
}

function make(
  dataset: ExploreDataset,
  name: string,
  [first = '', second = '']: readonly string[],
  written: string,
): RowFunction['over'] | null {
  const always = (aggregate: Aggregate) => () => aggregate;
  switch (name) {
    case 'count':
      return always({ kind: 'count' });
    case 'count_unique':
      return always({ kind: 'count_unique', field: readRowField(dataset, first || 'user') });
    case 'epm':
    case 'tpm':
    case 'spm':
    case 'eps':
    case 'tps':
    case 'sps':
    case 'per_second':
      return (seconds) => ({ kind: 'rate', seconds: isPerMinute(name) ? seconds / 60 : seconds });
    case 'last_seen':
      return always({ kind: 'last_seen' });
    case 'first_seen':
      return always({ kind: 'first_seen' });
    case 'min':
    case 'max':
      if (first === 'timestamp') return always({ kind: name === 'min' ? 'first_seen' : 'last_seen' });
  }
  switch (name) {
    case 'avg':
    case 'sum':
    case 'min':
    case 'max':
      return always({ kind: name, field: measured(dataset, first) });
    case 'percentile': {
      const level = Number(second);
      if (!(level >= 0 && level <= 1) || second === '') {
        throw invalid(`"${written.slice(0, 80)}" needs a level between 0 and 1, such as 0.95`, 'field');
      }
      return always({ kind: 'quantile', level, field: measured(dataset, first) });
    }
    case 'failure_rate':
    case 'failure_count':
      return dataset === 'spans' ? always({ kind: name }) : null;
    case 'apdex':
      return dataset === 'spans' ? always({ kind: 'apdex', thresholdMs: readThreshold(first) }) : null;
  }
  const percent = /^p(\d{1,2}|100)$/.exec(name)?.[1];
  if (percent === undefined) return null;
  return always({ kind: 'quantile', level: Number(percent) / 100, field: measured(dataset, first) });
}

/** A field, or what a row of the dataset measures. */
function measured(dataset: ExploreDataset, written: string): AskedField {
  const name = written || measuredByDefault(dataset);
  if (name === '')
    throw invalid('Name the attribute to calculate with, such as avg(http.response.size)', 'field');
  return readRowField(dataset, name);
}

function readThreshold(written: string): number {
  if (written === '') return APDEX_THRESHOLD_MS;
  const thresholdMs = Number(written);
  if (thresholdMs > 0 && Number.isFinite(thresholdMs)) return thresholdMs;
  throw invalid('apdex() needs a threshold in milliseconds, such as apdex(300)', 'field');
}
