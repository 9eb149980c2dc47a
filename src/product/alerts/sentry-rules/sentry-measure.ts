import type { AlertMeasure, MetricMeasure, RowMeasure } from '#domain/alerts/alert-rule.ts';
import { SENTRY_MEASURES, SENTRY_ROW_TYPES, SENTRY_ROWS } from '#domain/alerts/sentry-measures.ts';
import { invalid } from '#lib/errors.ts';
import { splitFunction } from '#product/explore/rows/function-types.ts';
import { quoteValue } from '#product/search/suggest/suggestions.ts';

type Written = {
  aggregate: string;
  dataset?: string | null | undefined;
  eventTypes?: readonly string[] | null | undefined;
  query?: string | null | undefined;
};

type Measured = { measure: MetricMeasure; query: string };

/**
 * What a rule of Sentry measures, and of what: errors, sessions and the failure rate of transactions by name, everything else
 * as a function over spans, logs or metrics. Throws Invalid for what Errata does not measure.
 */
export function readMeasured(body: Written): Measured {
  const aggregate = body.aggregate.replaceAll(/\s+/g, ' ').trim();
  const query = body.query ?? '';
  const dataset = rowDatasetOf(body);
  if (dataset) return ofRows(dataset, aggregate, query);
  const named = namedMeasure(aggregate);
  if (TRANSACTIONS.has(body.dataset ?? '') && named !== 'failure_rate') {
    checkEventTypes(body, ['transaction'], aggregate);
    // The spans that stand for whole transactions, as Sentry itself rewrites such rules.
    return ofRows('spans', aggregate, ofTransactions(query));
  }
  if (!named) {
    const names = Object.values(SENTRY_MEASURES).map((each) => each.aggregate);
    throw invalid(
      `"aggregate": Errata supports ${names.join('; ')}, and functions with the dataset ${SENTRY_ROWS}`,
      'aggregate',
    );
  }
  checkPlace(named, body);
  return { measure: named, query };
}

/** Names that clients use for the datasets beside Sentry's own. */
const ROW_DATASETS: Readonly<Record<string, RowMeasure['dataset']>> = {
  spans: 'spans',
  ourlogs: 'logs',
  logs: 'logs',
  tracemetrics: 'metrics',
};

/** null when the rule is of something else. */
function rowDatasetOf({ dataset, eventTypes }: Written): RowMeasure['dataset'] | null {
  if (dataset == null) return null;
  if (dataset !== SENTRY_ROWS) return Object.hasOwn(ROW_DATASETS, dataset) ? ROW_DATASETS[dataset]! : null;
  const [type, ...others] = eventTypes ?? [];
  if (type === undefined) return 'spans';
  const datasets = Object.keys(SENTRY_ROW_TYPES) as RowMeasure['dataset'][];
  const found = datasets.find((each) => SENTRY_ROW_TYPES[each] === type);
  if (found && others.length === 0) return found;
  throw invalid(
    `"eventTypes": name one of ${Object.values(SENTRY_ROW_TYPES).join(', ')} with the dataset ${SENTRY_ROWS}`,
    'eventTypes',
  );
}

/** Sentry's functions of a metric name it: `sum(value,checkout.total,counter,-)`. Here the search does. */
function ofRows(dataset: RowMeasure['dataset'], aggregate: string, query: string): Measured {
  const split = dataset === 'metrics' ? splitFunction(aggregate) : null;
  const [field = '', name, type, unit] = split?.parameters ?? [];
  if (!split || name === undefined || split.name === 'percentile') {
    return { measure: { dataset, function: aggregate }, query };
  }
  const filters = [
    ['metric.name', name],
    ['metric.type', type],
    ['metric.unit', unit],
  ].flatMap(([key, value]) =>
    value && value !== '-' && value !== 'none' ? [`${key}:${quoteValue(value)}`] : [],
  );
  return {
    measure: { dataset, function: `${split.name}(${field})` },
    query: [...filters, query.trim() && `(${query.trim()})`].filter(Boolean).join(' '),
  };
}

const IS_TRANSACTION = 'is_transaction:true';

const ofTransactions = (query: string): string =>
  query.trim() === '' ? IS_TRANSACTION : `${IS_TRANSACTION} (${query.trim()})`;

function namedMeasure(aggregate: string): AlertMeasure | null {
  const measures = Object.keys(SENTRY_MEASURES) as AlertMeasure[];
  const found = measures.find((measure) => {
    const [call = ''] = SENTRY_MEASURES[measure].aggregate.split(' AS ');
    return aggregate === call || aggregate.startsWith(`${call} AS `);
  });
  return found ?? null;
}

const TRANSACTIONS: ReadonlySet<string> = new Set(['transactions', 'generic_metrics']);

/** Where Sentry looks for the same. */
const DATASETS: Readonly<Record<string, readonly string[]>> = {
  events: ['events'],
  transactions: [...TRANSACTIONS],
  metrics: ['metrics', 'sessions'],
};

/** The same call counts other things elsewhere. */
function checkPlace(measure: AlertMeasure, body: Written): void {
  const { aggregate, dataset, eventTypes } = SENTRY_MEASURES[measure];
  const datasets = DATASETS[dataset] ?? [dataset];
  if (body.dataset != null && !datasets.includes(body.dataset)) {
    throw invalid(`"dataset": Errata supports ${aggregate} only in ${datasets.join(' or ')}`, 'dataset');
  }
  // Sessions have no types of events, and Sentry overlooks what is sent.
  if (eventTypes.length > 0) checkEventTypes(body, eventTypes, aggregate);
}

function checkEventTypes({ eventTypes }: Written, types: readonly string[], aggregate: string): void {
  if (eventTypes == null || eventTypes.length === 0) return;
  // Messages are counted with the errors, not alone.
  const isMeasured = eventTypes.every((type) => types.includes(type)) && !eventTypes.every(isMessage);
  if (isMeasured) return;
  throw invalid(`"eventTypes": Errata supports ${aggregate} only for ${types.join(' and ')}`, 'eventTypes');
}

const isMessage = (eventType: string): boolean => eventType === 'default';
