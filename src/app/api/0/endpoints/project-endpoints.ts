import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PAGE, RANGE, SEARCH } from '#app/api/0/parameters.ts';
import { readEnvironments, readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { EVENT, EVENT_SUMMARY } from '#app/api/0/schemas/event.ts';
import { ISSUE, ISSUES_CHANGE } from '#app/api/0/schemas/issue.ts';
import { PROJECT_DETAIL } from '#app/api/0/schemas/project.ts';
import { TRANSACTION_EVENT } from '#app/api/0/schemas/transaction-event.ts';
import { serializeEvent, serializeEventSummary } from '#app/api/0/serializers/serialize-event.ts';
import { serializeTransactionEvent } from '#app/api/0/serializers/serialize-transaction-event.ts';
import { getEventOrTransaction } from '#product/events/get-event.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { findEventNeighbours } from '#product/issues/issue-events.ts';
import { getProject } from '#product/visible-projects.ts';
import { deleteIssuesEndpoint } from './delete-issues-endpoint.ts';
import { describeProject } from './describe-project.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { listIssuesEndpoint } from './list-issues-endpoint.ts';
import { ISSUE_UPDATE } from './read-issue-update.ts';
import { updateIssuesEndpoint } from './update-issues-endpoint.ts';

const GET_PROJECT = {
  summary: 'Answers a project with its settings',
  scopes: ['project:read'],
  answer: PROJECT_DETAIL,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/retrieve-a-project/ */
export const getProjectEndpoint = declare<ProjectParams>(GET_PROJECT, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  return { body: await describeProject(ctx, await getProject(ctx, project.slug)) };
});

const LIST_PROJECT_ISSUES = {
  summary: 'Lists issues of a project',
  scopes: ['event:read'],
  query: {
    ...PAGE,
    ...RANGE,
    ...ENVIRONMENTS,
    ...SEARCH,
    sort: z.string().describe('date, new or freq'),
    groupStatsPeriod: z.string().describe('The period of stats: 24h, 14d, auto or none'),
  },
  answer: z.array(ISSUE),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/list-a-projects-issues/ */
export const listProjectIssuesEndpoint = declare<ProjectParams>(
  LIST_PROJECT_ISSUES,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    return listIssuesEndpoint(ctx, url, [project.slug]);
  },
);

const UPDATE_PROJECT_ISSUES = {
  summary: 'Changes up to 1,000 issues of a project',
  scopes: ['event:write'],
  query: {
    id: z.array(z.string()).describe('Numbers of issues'),
    ...SEARCH,
    status: z.string().describe('resolved, unresolved or muted, as sentry-cli asks'),
  },
  body: ISSUE_UPDATE,
  answer: ISSUES_CHANGE,
  otherStatus: 204,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/bulk-mutate-a-list-of-issues/ */
export const updateProjectIssuesEndpoint = declare<ProjectParams>(UPDATE_PROJECT_ISSUES, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  return updateIssuesEndpoint(ctx, call.request, call.url, [project.slug]);
});

const DELETE_PROJECT_ISSUES = {
  summary: 'Deletes up to 1,000 issues of a project',
  scopes: ['event:admin'],
  query: { id: z.array(z.string()).describe('Numbers of issues'), ...SEARCH },
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/bulk-remove-a-list-of-issues/ */
export const deleteProjectIssuesEndpoint = declare<ProjectParams>(DELETE_PROJECT_ISSUES, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  return deleteIssuesEndpoint(ctx, call.url, [project.slug]);
});

const LIST_PROJECT_EVENTS = {
  summary: 'Lists events of a project, newest first',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, ...ENVIRONMENTS, ...SEARCH },
  answer: z.array(EVENT_SUMMARY),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/list-a-projects-error-events/ */
export const listProjectEventsEndpoint = declare<ProjectParams>(
  LIST_PROJECT_EVENTS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['full']);
    const { ctx, project } = await findProject(caller, params);
    const input = {
      projectSlug: project.slug,
      limit: readLimit(url),
      range: readRange(url, ctx.now()),
      query: url.searchParams.get('query') ?? '',
      environments: readEnvironments(url),
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { events, nextCursor } = await listProjectEvents(ctx, { ...input, cursor });
      return { rows: events.map(({ event, issue }) => serializeEventSummary(event, issue)), nextCursor };
    });
  },
);

const GET_PROJECT_EVENT = {
  summary: 'Answers an event of a project',
  scopes: ['event:read'],
  answer: z.union([TRANSACTION_EVENT, EVENT]),
} satisfies Operation;

/** An error, or a transaction with that id. Source: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/ */
export const getProjectEventEndpoint = declare<ProjectParams & { event: string }>(
  GET_PROJECT_EVENT,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const input = { projectSlug: project.slug, eventId: call.params.event };
    const found = await getEventOrTransaction(ctx, input);
    if ('transaction' in found) return { body: serializeTransactionEvent(found) };
    const { event, issue } = found;
    const neighbours = issue ? await findEventNeighbours(ctx, issue, event) : NO_NEIGHBOURS;
    return { body: serializeEvent(event, issue, neighbours) };
  },
);

export const NO_NEIGHBOURS = { previousId: null, nextId: null };
