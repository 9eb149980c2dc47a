import { z } from 'zod';
import { isAggregate, readAggregate, readPlainField } from '#app/api/0/endpoints/events/error-field.ts';
import {
  defaultRange,
  type EventsDataset,
  readDataset,
  readErrorsTable,
  readFieldNames,
} from '#app/api/0/endpoints/events/list-errors.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { deferred, ENVIRONMENTS, PROJECTS, RANGE, SEARCH, text, texts } from '#app/api/0/query.ts';
import { Reply } from '#app/api/0/reply.ts';
import { isErrataError } from '#lib/errors.ts';
import { openQuestion } from '#product/explore/explored-events.ts';

/** What is wrong with a part of the question; null when nothing is. */
const VERDICT = z.object({ valid: z.boolean(), error: z.string().nullable() });
const FIELD_VERDICT = VERDICT.extend({ name: z.string(), attrType: z.null() });

export const validateEventsOperations: readonly Operation[] = [
  /**
   * Whether a table of events can be had, and if not, which part of the question is wrong; nothing is searched.
   * Source of the fields: src/sentry/api/endpoints/organization_events_validate.py of Sentry, as its MCP server reads it.
   */
  get('organizations/[org]/events/validate', {
    summary: 'Validates an event search',
    scopes: ['event:read'],
    query: {
      projectSlugs: deferred(PROJECTS.projectSlugs),
      range: deferred(RANGE.range),
      environments: deferred(ENVIRONMENTS.environments),
      dataset: text('Dataset: errors or logs'),
      field: texts('Field names'),
      ...SEARCH,
      orderby: texts('Fields to sort by; prefix with - for descending order'),
    },
    answer: z.object({
      valid: z.boolean(),
      dataset: z.array(VERDICT.extend({ name: z.string() })),
      projects: z.array(VERDICT),
      environment: z.array(z.unknown()),
      field: z.array(FIELD_VERDICT),
      query: VERDICT.extend({ fields: z.array(z.unknown()) }),
      orderby: z.array(FIELD_VERDICT),
    }),
    async handle({ ctx, query }) {
      let dataset: EventsDataset | null = null;
      const datasetVerdict = await judge(() => {
        dataset = readDataset(query.dataset);
      });
      const isErrors = dataset === 'errors';
      const projects = await judge(query.projectSlugs);
      const names = readFieldNames(query.field);
      const fields = await Promise.all(
        names.map(async (field) => ({
          name: field,
          attrType: null,
          ...(await judge(() => {
            if (isErrors) isAggregate(field) ? readAggregate(field) : readPlainField(field);
          })),
        })),
      );
      const search = await judge(async () => {
        if (!isErrors || !projects.valid) return;
        await openQuestion(ctx, {
          query: query.search ?? '',
          projectSlugs: await query.projectSlugs(),
          environments: await query.environments(),
          range: (await query.range()) ?? defaultRange(ctx),
        });
      });
      const orders = query.orderby.filter((order) => order !== '');
      const orderby = await Promise.all(
        orders.map(async (order) => ({
          name: order,
          attrType: null,
          ...(await judge(() => {
            // A wrong field was reported already.
            if (isErrors && fields.every(({ valid }) => valid)) readErrorsTable(names, order);
          })),
        })),
      );
      const parts = [datasetVerdict, projects, search, ...fields, ...orderby];
      const valid = parts.every((part) => part.valid);
      const answer = {
        valid,
        dataset: [{ name: query.dataset ?? 'errors', ...datasetVerdict }],
        projects: [projects],
        environment: [],
        field: fields,
        query: { ...search, fields: [] },
        orderby,
      };
      return valid ? answer : new Reply(answer, { status: 400 });
    },
  }),
];

type Verdict = z.infer<typeof VERDICT>;

async function judge(check: () => unknown): Promise<Verdict> {
  try {
    await check();
    return { valid: true, error: null };
  } catch (error) {
    if (isErrataError(error) && (error.code === 'invalid' || error.code === 'not_found')) {
      return { valid: false, error: error.message };
    }
    throw error;
  }
}
