import type { AlertMeasure, MetricMeasure, RowMeasure } from '#domain/alerts/alert-rule.ts';
import {
  FIELDLESS_FUNCTIONS,
  FUNCTION_NAMES,
  measuredByDefault,
  SPAN_FUNCTIONS,
} from '#product/explore/rows/function-types.ts';

/** What a metric can be of, in the order of the form. */
export const MEASURED_DATASETS = ['errors', 'sessions', 'transactions', 'spans', 'logs', 'metrics'] as const;
export type MeasuredDataset = (typeof MEASURED_DATASETS)[number];

export const DATASET_LABELS: Readonly<Record<MeasuredDataset, string>> = {
  errors: 'Errors',
  sessions: 'Sessions',
  transactions: 'Transactions',
  spans: 'Spans',
  logs: 'Logs',
  metrics: 'Metrics',
};

const DATASET_OF: Readonly<Record<AlertMeasure, MeasuredDataset>> = {
  events: 'errors',
  users: 'errors',
  crash_free_sessions: 'sessions',
  crash_free_users: 'sessions',
  failure_rate: 'transactions',
};

export const measuredDataset = (measure: MetricMeasure): MeasuredDataset =>
  typeof measure === 'string' ? DATASET_OF[measure] : measure.dataset;

/** Measures of the dataset that have a name; none where functions are chosen. */
export const namedMeasures = (dataset: MeasuredDataset): readonly AlertMeasure[] =>
  (Object.keys(DATASET_OF) as AlertMeasure[]).filter((measure) => DATASET_OF[measure] === dataset);

/** What a dataset is measured by until something else is chosen. */
export function firstMeasure(dataset: MeasuredDataset): MetricMeasure {
  if (dataset === 'spans') return { dataset, function: 'p95(span.duration)' };
  if (dataset === 'metrics') return { dataset, function: 'sum(value)' };
  if (dataset === 'logs') return { dataset, function: 'count()' };
  return namedMeasures(dataset)[0] ?? 'events';
}

/** Moments cannot be above a threshold. */
const MOMENTS: ReadonlySet<string> = new Set(['first_seen', 'last_seen']);

export const functionsOf = (dataset: RowMeasure['dataset']): readonly string[] =>
  FUNCTION_NAMES.filter((name) => !MOMENTS.has(name) && (dataset === 'spans' || !SPAN_FUNCTIONS.has(name)));

/** `p95(span.duration)` as a name and what stands in the parentheses, as far as it is written. */
export function partsOf({ function: written }: RowMeasure): { name: string; argument: string } {
  const [, name = written, argument = ''] = /^([^(]*)\((.*)\)$/s.exec(written) ?? [];
  return { name, argument };
}

export const takesField = (name: string): boolean => !FIELDLESS_FUNCTIONS.has(name);

/** The measure with another function; the field stays where both take one. */
export function withFunction(measure: RowMeasure, name: string): RowMeasure {
  const { name: before, argument } = partsOf(measure);
  if (!takesField(name)) return { ...measure, function: `${name}()` };
  const usual = name === 'count_unique' ? 'user' : measuredByDefault(measure.dataset);
  const isKept = takesField(before) && (before === 'count_unique') === (name === 'count_unique');
  return { ...measure, function: `${name}(${isKept ? argument : usual})` };
}
