import { z } from 'zod';
import { readPlainField } from '#app/api/0/endpoints/events/error-field.ts';
import { type EventsDataset, readDataset, rowsOf } from '#app/api/0/endpoints/events/events-dataset.ts';
import { isGrouped, rangeUpToNow, readFieldNames } from '#app/api/0/endpoints/events/events-question.ts';
import { readErrorRows } from '#app/api/0/endpoints/events/list-errors.ts';
import { orderOf } from '#app/api/0/endpoints/events/list-rows.ts';
import { columnNamed, isOfEveryRow } from '#app/api/0/endpoints/events/table-columns.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { deferred, ENVIRONMENTS, PROJECTS, RANGE, SEARCH, text, texts } from '#app/api/0/query.ts';
import { Reply } from '#app/api/0/reply.ts';
import { invalid, isErrataError } from '#lib/errors.ts';
import { openQuestion } from '#product/explore/open-question.ts';
import { readRowSearch } from '#product/explore/rows/read-row-search.ts';
import { isRowDataset, readRowField } from '#product/explore/rows/row-fields.ts';
import { isFunction, readFunction } from '#product/explore/rows/row-functions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

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
      dataset: text('Dataset: errors, transactions, spans, logs or metrics'),
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
      const datasetVerdict = await judge(() => readDataset(query.dataset, query.field));
      // What is wrong with anything else cannot be said of a dataset that there is not.
      const dataset = datasetVerdict.valid ? readDataset(query.dataset, query.field) : null;
      const projects = await judge(query.projectSlugs);
      const names = readFieldNames(query.field, dataset ?? undefined);
      const fields = await Promise.all(
        names.map(async (name) => ({
          name,
          attrType: null,
          ...(await judge(() => dataset && checkField(dataset, names, name))),
        })),
      );
      const search = await judge(async () => {
        if (!dataset || !projects.valid) return;
        const rows = rowsOf(dataset, names).dataset;
        const text = query.search ?? '';
        await openQuestion(ctx, {
          query: isRowDataset(rows) ? '' : text,
          projectSlugs: await query.projectSlugs(),
          environments: await query.environments(),
          range: (await query.range()) ?? rangeUpToNow(ctx),
        });
        if (isRowDataset(rows)) {
          readRowSearch(rows, text, { projects: await listVisibleProjects(ctx), nowMs: ctx.now() });
        }
      });
      const orders = query.orderby.filter((order) => order !== '');
      const orderby = await Promise.all(
        orders.map(async (order) => ({
          name: order,
          attrType: null,
          ...(await judge(() => {
            // A wrong field was reported already.
            if (dataset && fields.every(({ valid }) => valid)) checkOrder(dataset, names, order);
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

/** Throws Invalid. */
function checkField(dataset: EventsDataset, names: readonly string[], name: string): void {
  const rows = rowsOf(dataset, names).dataset;
  if (isFunction(name)) readFunction(rows, name);
  else if (isGrouped(dataset, names)) readRowField(rows, columnNamed(dataset, name).field);
  else if (!isRowDataset(rows)) readPlainField(name);
  else if (!isOfEveryRow(name)) readRowField(rows, columnNamed(dataset, name).field);
}

/** Throws Invalid. */
function checkOrder(dataset: EventsDataset, names: readonly string[], order: string): void {
  const rows = rowsOf(dataset, names).dataset;
  const columns = names.filter((name) => !isFunction(name)).map((name) => columnNamed(dataset, name));
  if (isGrouped(dataset, names)) orderOf(dataset, order, columns, names.filter(isFunction));
  else if (!isRowDataset(rows)) readErrorRows(names, order);
  else if (isFunction(order)) throw invalid('Rows are sorted by a field, not by a function', 'sort');
}

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
