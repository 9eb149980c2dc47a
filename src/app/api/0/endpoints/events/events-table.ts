import { z } from 'zod';
import { type EventsDataset, readDataset } from '#app/api/0/endpoints/events/events-dataset.ts';
import {
  isGrouped,
  readFieldNames,
  readQuestion,
  TABLE_QUESTION,
} from '#app/api/0/endpoints/events/events-question.ts';
import { listErrors } from '#app/api/0/endpoints/events/list-errors.ts';
import { listGroups, listSampledRows } from '#app/api/0/endpoints/events/list-rows.ts';
import { LOG_LIMIT } from '#app/api/0/endpoints/events/log-limit.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, PAGE, type Parameter } from '#app/api/0/query.ts';

const TABLE_QUERY = {
  dataset: {
    schema: z.string().describe('Dataset: errors, transactions, spans, logs or metrics'),
    read: (searchParams, name) => readDataset(searchParams.get(name), searchParams.getAll('field')),
  } satisfies Parameter<EventsDataset>,
  limit: {
    schema: PAGE.limit.schema,
    read: (searchParams, name, ctx) =>
      readDataset(searchParams.get('dataset')) === 'logs'
        ? LOG_LIMIT.read(searchParams, name, ctx)
        : PAGE.limit.read(searchParams),
  } satisfies Parameter<number>,
  ...CURSOR,
  ...TABLE_QUESTION,
};

export const eventsTableOperations: readonly Operation[] = [
  /**
   * A table of the requested fields: rows, or numbers over the groups that they make.
   * Source: https://docs.sentry.io/api/explore/query-explore-events-in-table-format/
   */
  get('organizations/[org]/events', {
    summary: 'Lists or counts errors, transactions, spans, logs or metrics by the requested fields',
    scopes: ['event:read'],
    query: TABLE_QUERY,
    answer: z.object({
      data: z.array(z.record(z.string(), z.unknown())),
      meta: z.looseObject({
        fields: z.record(z.string(), z.string()),
        units: z.record(z.string(), z.string().nullable()),
      }),
    }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { dataset, limit } = query;
      const names = readFieldNames(query.field, dataset);
      const sort = query.sort || query.orderby;
      const question = readQuestion(ctx, query);
      let meta = {};
      const reply = await page(async (cursor) => {
        const request = { names, sort, limit, cursor };
        const { rows, nextCursor, fields, units } = isGrouped(dataset, names)
          ? await listGroups(ctx, dataset, question, request)
          : dataset === 'errors'
            ? await listErrors(ctx, question, request)
            : await listSampledRows(ctx, dataset, question, request);
        meta = { fields, units };
        return { rows, nextCursor };
      });
      return reply.wrap((data) => ({ data, meta: { fields: {}, units: {}, ...meta, dataset } }));
    },
  }),
];
