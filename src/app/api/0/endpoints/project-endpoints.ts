import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readEnvironments, readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { serializeEvent, serializeEventSummary } from '#app/api/0/serializers/serialize-event.ts';
import { serializeProject } from '#app/api/0/serializers/serialize-project.ts';
import { serializeTransactionEvent } from '#app/api/0/serializers/serialize-transaction-event.ts';
import { getEventOrTransaction } from '#product/events/get-event-or-transaction.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { findEventNeighbours } from '#product/issues/find-event-neighbours.ts';
import { getProject } from '#product/projects/get-project.ts';
import { deleteIssuesEndpoint } from './delete-issues-endpoint.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { listIssuesEndpoint } from './list-issues-endpoint.ts';
import { updateIssuesEndpoint } from './update-issues-endpoint.ts';

/** Source: https://docs.sentry.io/api/projects/retrieve-a-project/ */
export const getProjectEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  return { body: serializeProject(await getProject(ctx, project.slug), ctx.organization, ctx.publicUrl) };
};

/** Source: https://docs.sentry.io/api/events/list-a-projects-issues/ */
export const listProjectIssuesEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  return listIssuesEndpoint(ctx, url, [project.slug]);
};

/** Source: https://docs.sentry.io/api/events/bulk-mutate-a-list-of-issues/ */
export const updateProjectIssuesEndpoint: ApiEndpoint<ProjectParams> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  return updateIssuesEndpoint(ctx, call.request, call.url, [project.slug]);
};

/** Source: https://docs.sentry.io/api/events/bulk-remove-a-list-of-issues/ */
export const deleteProjectIssuesEndpoint: ApiEndpoint<ProjectParams> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  return deleteIssuesEndpoint(ctx, call.url, [project.slug]);
};

/** Source: https://docs.sentry.io/api/events/list-a-projects-error-events/ */
export const listProjectEventsEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
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
};

/** An error, or a transaction with that id. Source: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/ */
export const getProjectEventEndpoint: ApiEndpoint<ProjectParams & { event: string }> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const input = { projectSlug: project.slug, eventId: call.params.event };
  const found = await getEventOrTransaction(ctx, input);
  if ('transaction' in found) return { body: serializeTransactionEvent(found) };
  const { event, issue } = found;
  const neighbours = issue ? await findEventNeighbours(ctx, issue, event) : NO_NEIGHBOURS;
  return { body: serializeEvent(event, issue, neighbours) };
};

const NO_NEIGHBOURS = { previousId: null, nextId: null };
