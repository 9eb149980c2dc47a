import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS, SEARCH } from '#app/api/0/parameters.ts';
import { isErrataError } from '#lib/errors.ts';
import { openQuestion } from '#product/explore/explored-events.ts';
import { type OrganizationParams, readProjects } from '../organization-endpoints.ts';
import { isAggregate, readAggregate, readPlainField } from './error-field.ts';
import { readErrorsTable, readFieldNames, readQuestion } from './list-errors.ts';
import { type EventsDataset, readDataset } from './read-dataset.ts';

/** What is wrong with a part of the question; null when nothing is. */
const VERDICT = z.object({ valid: z.boolean(), error: z.string().nullable() });
type Verdict = z.infer<typeof VERDICT>;

const FIELD_VERDICT = VERDICT.extend({ name: z.string(), attrType: z.null() });

const VALIDATE_EVENTS = {
  summary: 'Tells whether a search of events can be read',
  scopes: ['event:read'],
  query: {
    ...PROJECTS,
    dataset: z.string().describe('Which data: errors or logs'),
    field: z.array(z.string()).describe('Names of fields'),
    ...SEARCH,
    orderby: z.array(z.string()).describe('Fields, with - in front for the largest first'),
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
} satisfies Operation;

/**
 * Whether a table of events can be had, and if not, which part of the question is wrong; nothing is searched.
 * Source of the fields: src/sentry/api/endpoints/organization_events_validate.py of Sentry, as its MCP server reads it.
 */
export const validateEventsEndpoint = declare<OrganizationParams>(
  VALIDATE_EVENTS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const name = url.searchParams.get('dataset') ?? 'errors';
    let dataset: EventsDataset | null = null;
    const datasetVerdict = await judge(() => {
      dataset = readDataset(url);
    });
    const isErrors = dataset === 'errors';
    const projects = await judge(() => readProjects(url, ctx));
    const names = readFieldNames(url);
    const fields = await Promise.all(
      names.map(async (field) => ({
        name: field,
        attrType: null,
        ...(await judge(() => {
          if (isErrors) isAggregate(field) ? readAggregate(field) : readPlainField(field);
        })),
      })),
    );
    const query = await judge(async () => {
      if (isErrors && projects.valid) {
        await openQuestion(ctx, readQuestion(ctx, url, await readProjects(url, ctx)));
      }
    });
    const orders = url.searchParams.getAll('orderby').filter((order) => order !== '');
    const orderby = await Promise.all(
      orders.map(async (order) => ({
        name: order,
        attrType: null,
        ...(await judge(() => {
          // A wrong field was told already.
          if (isErrors && fields.every(({ valid }) => valid)) readErrorsTable(names, order);
        })),
      })),
    );
    const parts = [datasetVerdict, projects, query, ...fields, ...orderby];
    const valid = parts.every((part) => part.valid);
    return {
      status: valid ? 200 : 400,
      body: {
        valid,
        dataset: [{ name, ...datasetVerdict }],
        projects: [projects],
        environment: [],
        field: fields,
        query: { ...query, fields: [] },
        orderby,
      },
    };
  },
);

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
