import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';

export type EventsDataset = 'errors' | 'logs';

/** Sentry's names of what a table of events can be made of here. */
const DATASETS: Readonly<Record<string, EventsDataset>> = {
  errors: 'errors',
  discover: 'errors',
  logs: 'logs',
  ourlogs: 'logs',
};

/** Errors when none is named. Throws Invalid. */
export function readDataset(url: URL): EventsDataset {
  const name = url.searchParams.get('dataset') || 'errors';
  const dataset = ownValue(DATASETS, name);
  if (dataset) return dataset;
  throw invalid(
    `There is no table of "${name.slice(0, 40)}": dataset is errors or logs; spans, replays and metrics have lists of their own`,
    'dataset',
  );
}
