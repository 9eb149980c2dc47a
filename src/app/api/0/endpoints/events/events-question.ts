import { ENVIRONMENTS, PROJECTS, type QueryValues, RANGE, SEARCH, text, texts } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { isFunction } from '#product/explore/rows/row-functions.ts';
import type { Range } from '#product/time-buckets.ts';
import type { EventsDataset } from './events-dataset.ts';

const FIELDS_MAX = 20;
const PERIOD_MS = 90 * DAY_MS;

const FIELDS_DEFAULT: Readonly<Record<EventsDataset, readonly string[]>> = {
  errors: ['id', 'title', 'issue', 'project', 'timestamp'],
  transactions: ['id', 'transaction', 'transaction.duration', 'trace', 'project', 'timestamp'],
  spans: [
    'id',
    'span.op',
    'span.description',
    'span.duration',
    'transaction',
    'trace',
    'project',
    'timestamp',
  ],
  logs: [
    'sentry.item_id',
    'project.id',
    'project',
    'trace',
    'severity',
    'severity_number',
    'timestamp',
    'message',
  ],
  metrics: ['id', 'metric.name', 'metric.type', 'metric.unit', 'value', 'trace', 'project', 'timestamp'],
};

/** Parameters of a table of events. */
export const TABLE_QUESTION = {
  ...RANGE,
  ...PROJECTS,
  ...ENVIRONMENTS,
  sort: text('Field to sort by; prefix with - for descending order'),
  orderby: text('The same as sort'),
  ...SEARCH,
  field: texts('Names of the fields to return'),
};

/** Which events a request asks about: what is the same for rows, groups and series. */
export type TableQuestion = {
  query: string;
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
  /** Of rows other than errors: a search that must hold as well. */
  within?: string;
};

/** Each name once; those that a dataset has anyway when none is requested. Throws Invalid. */
export const readFieldNames = (
  requested: readonly string[],
  dataset: EventsDataset = 'errors',
): readonly string[] => {
  const names = requested.filter((name) => name !== '');
  if (names.length > FIELDS_MAX) throw invalid(`Request at most ${FIELDS_MAX} fields`, 'field');
  return names.length === 0 ? FIELDS_DEFAULT[dataset] : [...new Set(names)];
};

/** Whether rows are grouped: by a function, or because nothing else tells the metrics that there are. */
export const isGrouped = (dataset: EventsDataset, names: readonly string[]): boolean =>
  names.some(isFunction) || (dataset === 'metrics' && names.every((name) => OF_A_METRIC.has(name)));
const OF_A_METRIC: ReadonlySet<string> = new Set(['metric.name', 'metric.type', 'metric.unit']);

export const readQuestion = (
  ctx: Context,
  query: Pick<QueryValues<typeof TABLE_QUESTION>, 'search' | 'projectSlugs' | 'environments' | 'range'>,
  periodMs = PERIOD_MS,
): TableQuestion => ({
  query: query.search ?? '',
  projectSlugs: query.projectSlugs,
  environments: query.environments,
  range: query.range ?? rangeUpToNow(ctx, periodMs),
});

/** What a question is about that names no range. */
export function rangeUpToNow(ctx: Context, periodMs = PERIOD_MS): Range {
  const nowMs = ctx.now();
  return { fromMs: nowMs - periodMs, toMs: nowMs };
}
