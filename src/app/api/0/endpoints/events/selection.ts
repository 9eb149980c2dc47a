import { z } from 'zod';
import { readDataset, rowsOf } from '#app/api/0/endpoints/events/events-dataset.ts';
import { readQuestion } from '#app/api/0/endpoints/events/events-question.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, type Parameter, PROJECTS, RANGE, SEARCH, text } from '#app/api/0/query.ts';
import { readRange } from '#app/api/0/query-values.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { invalid } from '#lib/errors.ts';
import { explainSelection } from '#product/explore/rows/explain-selection.ts';
import type { Range } from '#product/time-buckets.ts';

const COUNTS = z.object({ selected: z.number(), others: z.number() });

const EXPLANATION = z
  .object({
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    /** All rows of the query, within the selection and outside of it. */
    total: COUNTS,
    /** Those that were compared; fewer where there are many. */
    compared: COUNTS,
    sampled: z.boolean(),
    /** The largest difference of shares first. */
    values: z.array(
      z.object({ field: z.string(), value: z.string(), selected: z.number(), others: z.number() }),
    ),
    /** Shortly before the selection or within it, oldest first. */
    arrivals: z.array(
      z.object({
        type: z.enum(['release', 'deploy']),
        version: z.string(),
        environment: z.string().nullable(),
        dateTime: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'ExplainedSelection' });

const SELECTION = {
  schema: {
    selectedStart: z.string().describe('Start of the part to explain, in ISO 8601'),
    selectedEnd: z.string().describe('End of the part to explain, in ISO 8601'),
  },
  read(searchParams, _, ctx) {
    const given = new URLSearchParams({
      start: searchParams.get('selectedStart') ?? '',
      end: searchParams.get('selectedEnd') ?? '',
    });
    const range = readRange(given, ctx.now());
    if (range) return range;
    throw invalid('selectedStart and selectedEnd are needed: say which part to explain', 'selectedStart');
  },
} satisfies Parameter<Range>;

export const selectionOperations: readonly Operation[] = [
  /** Sentry's reference has nothing of the kind. */
  get('organizations/[org]/explore/changes', {
    summary: 'Explains a part of the time: which attribute values are more frequent in it than in the rest',
    scopes: ['event:read'],
    query: {
      ...RANGE,
      ...PROJECTS,
      ...ENVIRONMENTS,
      ...SEARCH,
      selection: SELECTION,
      dataset: text('errors, transactions, spans, logs or metrics'),
    },
    answer: EXPLANATION,
    async handle({ ctx, query }) {
      const { dataset, within } = rowsOf(readDataset(query.dataset), []);
      const found = await explainSelection(
        ctx,
        { ...readQuestion(ctx, query), dataset, within },
        query.selection,
      );
      return {
        start: isoOfMs(found.selection.fromMs),
        end: isoOfMs(found.selection.toMs),
        total: found.total,
        compared: found.looked,
        sampled: found.isSampled,
        values: found.values.map(({ name, ...each }) => ({ field: name, ...each })),
        arrivals: found.arrivals.map(({ kind, atMs, ...each }) => ({
          type: kind,
          ...each,
          dateTime: isoOfMs(atMs),
        })),
      };
    },
  }),
];
