import { z } from 'zod';
import { readDataset } from '#app/api/0/endpoints/events/events-dataset.ts';
import { readQuestion } from '#app/api/0/endpoints/events/events-question.ts';
import { readOffset, writeOffset } from '#app/api/0/offset-cursor.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import {
  CURSOR,
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  RANGE,
  SEARCH,
  text,
} from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { FACETS_MAX, listFacets } from '#product/explore/list-facets.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

/** Keys of a page when nobody says how many, as at Sentry. */
const FACETS_DEFAULT = 10;

const FACET = z
  .object({
    key: z.string(),
    topValues: z.array(
      z.object({ name: z.string(), value: z.union([z.string(), z.number()]), count: z.number() }),
    ),
  })
  .meta({ id: 'Facet' });

export const facetOperations: readonly Operation[] = [
  /** Tags with their most frequent values. Source: `events-facets` of an organization, as Sentry's Discover reads it. */
  get('organizations/[org]/events-facets', {
    summary: 'Lists tags of errors with their most frequent values',
    scopes: ['event:read'],
    query: {
      ...RANGE,
      ...PROJECTS,
      ...ENVIRONMENTS,
      ...SEARCH,
      ...CURSOR,
      dataset: {
        schema: z.string().describe('errors'),
        read(searchParams, name) {
          if (readDataset(searchParams.get(name)) === 'errors') return null;
          throw invalid('Only errors have facets: use dataset=errors', name);
        },
      } satisfies Parameter<null>,
      limit: {
        schema: PAGE.limit.schema,
        read: (searchParams) =>
          searchParams.get('limit') || searchParams.get('per_page')
            ? Math.min(FACETS_MAX, PAGE.limit.read(searchParams))
            : FACETS_DEFAULT,
      } satisfies Parameter<number>,
      includeAll: text('1 for the 50 most frequent keys at once'),
    },
    answer: z.array(FACET),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const question = readQuestion(ctx, query);
      const limit = query.includeAll ? FACETS_MAX : query.limit;
      const ids = new Map((await listVisibleProjects(ctx)).map(({ slug, id }) => [slug, id]));
      return page(async (cursor) => {
        const offset = readOffset(cursor);
        const { facets, hasMore } = await listFacets(ctx, question, { limit, offset });
        return {
          rows: facets.map(({ key, values }) => ({
            key,
            topValues: values.map(({ value, events }) => ({
              name: value,
              value: key === 'project' ? (ids.get(value) ?? value) : value,
              count: events,
            })),
          })),
          nextCursor: hasMore && !query.includeAll ? writeOffset(offset + limit) : null,
        };
      });
    },
  }),
];
