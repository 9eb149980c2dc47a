import { z } from 'zod';
import { type EventsDataset, readDataset } from '#app/api/0/endpoints/events/events-dataset.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { findProjectSlugs } from '#app/api/0/query.ts';
import { each, FALSE, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import {
  createSavedQuery,
  deleteSavedQuery,
  getSavedQuery,
  listSavedQueries,
  starSavedQuery,
  updateSavedQuery,
} from '#product/saved-searches/saved-queries.ts';
import type { SavedQuery, SavedQueryInput } from '#product/saved-searches/saved-search-store.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

const TEXTS = z.array(z.string().max(200)).max(20);

/** What the table and the chart show. `aggregateField` has groups and functions, `groupby` and `visualize` are older. */
const TABLE = z.object({
  mode: z.enum(['samples', 'aggregate']),
  query: z.string().max(QUERY_CHARACTERS_MAX).nullish(),
  fields: TEXTS.nullish(),
  orderby: z.string().nullish(),
  aggregateOrderby: z.string().nullish(),
  groupby: TEXTS.nullish(),
  visualize: z
    .array(z.object({ yAxes: TEXTS }))
    .max(20)
    .nullish(),
  aggregateField: z
    .array(z.object({ groupBy: z.string().max(200).optional(), yAxes: TEXTS.optional() }))
    .max(40)
    .nullish(),
});

/** The shape of Sentry's, with one table for each query, and `visibility`: who sees it. */
export const [SAVED_QUERY, serializeSavedQuery] = shapeOf<SavedQuery, [projects: readonly Project[]]>()(
  {
    id: idOf('id'),
    ...each(z.string(), 'name', 'dataset'),
    projects: [
      z.array(z.int()),
      ({ question }, projects) =>
        projects.filter(({ slug }) => question.projects.includes(slug)).map(({ id }) => id),
    ],
    environment: [z.array(z.string()), ({ question }) => question.environments],
    range: [z.string().nullable(), ({ question: { time } }) => (time.kind === 'last' ? time.period : null)],
    start: [z.string().nullable(), ({ question: { time } }) => momentOf(time, 'fromMs')],
    end: [z.string().nullable(), ({ question: { time } }) => momentOf(time, 'toMs')],
    query: [z.array(TABLE), (saved) => [tableOf(saved)]],
    visibility: [z.string(), ({ isShared }) => (isShared ? 'organization' : 'owner')],
    starred: [z.boolean(), 'isStarred'],
    dateAdded: isoMs('createdAt'),
    dateUpdated: isoMs('updatedAt'),
    createdBy: [z.object({ id: z.string() }), ({ userId }) => ({ id: userId })],
    ...each(NULL, 'lastVisited', 'position', 'interval'),
    expired: FALSE,
  },
  'SavedQuery',
);

const momentOf = (time: SavedQuery['question']['time'], name: 'fromMs' | 'toMs'): string | null =>
  time.kind === 'between' ? isoOfMs(time[name]) : null;

function tableOf({ query, question }: SavedQuery) {
  const { view, fields, groupBy, functions, sort } = question;
  return {
    mode: view === 'samples' ? ('samples' as const) : ('aggregate' as const),
    query,
    fields,
    orderby: view === 'samples' ? sort : null,
    aggregateOrderby: view === 'groups' ? sort : null,
    groupby: groupBy,
    visualize: functions.map((name) => ({ yAxes: [name] })),
    aggregateField: [
      ...groupBy.map((name) => ({ groupBy: name })),
      ...functions.map((name) => ({ yAxes: [name] })),
    ],
  };
}

const NEW_QUERY = z.strictObject({
  name: z.string(),
  dataset: z.string().default('spans'),
  projects: z.array(z.int()).max(100).default([]),
  environment: z.array(z.string().max(200)).max(100).nullish(),
  range: z
    .string()
    .regex(/^[1-9]\d{0,3}[mhdw]$/)
    .nullish(),
  start: z.iso.datetime({ offset: true }).nullish(),
  end: z.iso.datetime({ offset: true }).nullish(),
  interval: z.string().nullish().describe('Ignored: charts choose their own'),
  query: z.array(TABLE).length(1),
  visibility: z.enum(['owner', 'organization']).default('organization'),
});

/** Everything but the name stands in one request, as Sentry has it. Throws Invalid and NotFound. */
async function readInput(ctx: Context, body: z.output<typeof NEW_QUERY>): Promise<SavedQueryInput> {
  const [table] = body.query;
  const { mode, query, fields, orderby, aggregateOrderby, groupby, visualize, aggregateField } = table!;
  const groupBy = aggregateField?.flatMap((field) => field.groupBy ?? []) ?? groupby ?? [];
  const functions = (aggregateField ?? visualize ?? []).flatMap(({ yAxes }) => yAxes ?? []);
  const sort = mode === 'samples' ? orderby : (aggregateOrderby ?? orderby);
  return {
    name: body.name,
    isShared: body.visibility === 'organization',
    dataset: readSavedDataset(body.dataset),
    query: query ?? '',
    question: {
      view: mode === 'samples' ? 'samples' : 'groups',
      fields: fields && fields.length > 0 ? fields : ['timestamp'],
      groupBy: groupBy.filter((name) => name !== ''),
      functions: functions.length > 0 ? functions : ['count()'],
      sort: sort || null,
      isCompared: false,
      projects: await findProjectSlugs(ctx, body.projects.map(String)),
      environments: body.environment ?? [],
      time: readTime(body),
    },
  };
}

function readSavedDataset(name: string): SavedQuery['dataset'] {
  const dataset: EventsDataset = readDataset(name);
  if (dataset !== 'transactions') return dataset;
  throw invalid('Save transactions as spans, with is_transaction:true in the query', 'dataset');
}

function readTime({ range, start, end }: z.output<typeof NEW_QUERY>): SavedQuery['question']['time'] {
  if (!start && !end) return { kind: 'last', period: range ?? '14d' };
  const fromMs = Date.parse(start ?? '');
  const toMs = Date.parse(end ?? '');
  if (fromMs < toMs) return { kind: 'between', fromMs, toMs };
  throw invalid('start and end belong together, and start is before end', 'start');
}

const ALL = 'organizations/[org]/explore/saved';
const ONE = `${ALL}/[query]` as const;

/** Source: https://docs.sentry.io/api/discover/list-an-organizations-explore-saved-queries/ */
export const savedQueryOperations: readonly Operation[] = [
  get(ALL, {
    summary: 'Lists saved queries of Explore, starred first, then the last saved',
    scopes: ['event:read'],
    refuses: ['sortBy', 'exclude', 'query'],
    answer: z.array(SAVED_QUERY),
    handle: async ({ ctx }) => {
      const projects = await listVisibleProjects(ctx);
      return (await listSavedQueries(ctx)).map((saved) => serializeSavedQuery(saved, projects));
    },
  }),

  post(ALL, {
    summary: 'Saves a query of Explore',
    scopes: ['event:write'],
    body: NEW_QUERY,
    answer: SAVED_QUERY,
    status: 201,
    handle: async ({ ctx, body }) =>
      await answer(ctx, await createSavedQuery(ctx, await readInput(ctx, body))),
  }),

  get(ONE, {
    summary: 'Retrieves a saved query',
    scopes: ['event:read'],
    answer: SAVED_QUERY,
    handle: async ({ ctx, params }) => await answer(ctx, await getSavedQuery(ctx, readId(ctx, params))),
  }),

  put(ONE, {
    summary: 'Replaces a saved query',
    scopes: ['event:write'],
    body: NEW_QUERY,
    answer: SAVED_QUERY,
    handle: async ({ ctx, params, body }) =>
      await answer(ctx, await updateSavedQuery(ctx, readId(ctx, params), await readInput(ctx, body))),
  }),

  del(ONE, {
    summary: 'Deletes a saved query',
    scopes: ['event:write'],
    answer: null,
    handle: async ({ ctx, params }) => deleteSavedQuery(ctx, readId(ctx, params)),
  }),

  post(`${ONE}/starred`, {
    summary: 'Stars a saved query, or removes its star',
    scopes: ['event:write'],
    body: z.strictObject({ starred: z.boolean() }),
    answer: SAVED_QUERY,
    handle: async ({ ctx, params, body }) =>
      await answer(ctx, await starSavedQuery(ctx, readId(ctx, params), body.starred)),
  }),
];

const answer = async (ctx: Context, saved: SavedQuery) =>
  serializeSavedQuery(saved, await listVisibleProjects(ctx));

const readId = ({ organization }: Context, { query }: { query: string }): number =>
  readPathNumber(query, `The organization ${organization.slug} has no saved query "${query.slice(0, 40)}"`);
