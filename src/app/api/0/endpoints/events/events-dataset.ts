import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import type { ExploreDataset } from '#product/explore/rows/row-fields.ts';
import { isFunction } from '#product/explore/rows/row-functions.ts';

/** Transactions are the spans that a service begins with. */
export type EventsDataset = ExploreDataset | 'transactions';

/** Sentry's names, those of older clients too. */
const DATASETS: Readonly<Record<string, EventsDataset>> = {
  errors: 'errors',
  discover: 'errors',
  events: 'errors',
  transactions: 'transactions',
  spans: 'spans',
  spansIndexed: 'spans',
  spansMetrics: 'spans',
  logs: 'logs',
  ourlogs: 'logs',
  metrics: 'metrics',
  tracemetrics: 'metrics',
};

/** Errors when none is named. Throws Invalid. */
export function readDataset(requested: string | null, fields: readonly string[] = []): EventsDataset {
  const name = requested || 'errors';
  // Numbers about transactions, or the metrics of an application: only what is asked tells.
  if (name === 'metricsEnhanced') {
    return fields.some((field) => field.includes('metric.')) ? 'metrics' : 'transactions';
  }
  const dataset = ownValue(DATASETS, name);
  if (dataset) return dataset;
  throw invalid(
    `Dataset "${name.slice(0, 40)}" is not supported: use errors, transactions, spans, logs or metrics`,
    'dataset',
  );
}

/** The rows of a dataset, and what else must hold of each. Throws Invalid for functions of several metrics. */
export function rowsOf(
  dataset: EventsDataset,
  names: readonly string[],
  within = '',
): { dataset: ExploreDataset; within: string } {
  if (dataset === 'transactions') return { dataset: 'spans', within: `is_transaction:true ${within}`.trim() };
  return { dataset, within: dataset === 'metrics' ? ofOneMetric(names) : within };
}

/** Functions name their metric: `p95(value,checkout.time,distribution,millisecond)`. */
function ofOneMetric(names: readonly string[]): string {
  const searches = names.filter(isFunction).flatMap((name) => {
    const written = /\((.*)\)$/.exec(name)?.[1] ?? '';
    const [, metric, type, unit] = written.split(',').map((part) => part.trim().replaceAll('"', ''));
    if (!metric || name.startsWith('percentile')) return [];
    return [
      [
        ['metric.name', metric],
        ['metric.type', type],
        ['metric.unit', NO_UNIT.has(unit ?? '') ? '' : unit],
      ]
        .filter(([, value]) => value)
        .map(([key, value]) => `${key}:"${value?.replaceAll(/[\\*]/g, String.raw`\$&`)}"`)
        .join(' '),
    ];
  });
  const distinct = [...new Set(searches)];
  if (distinct.length > 1) throw invalid('All functions must be of the same metric', 'field');
  return distinct[0] ?? '';
}
const NO_UNIT: ReadonlySet<string> = new Set(['', '-', 'none']);
