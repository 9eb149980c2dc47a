import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PAGE, RANGE, SEARCH } from '#app/api/0/query.ts';
import { each } from '#app/api/0/shape.ts';
import { EVENT, EVENT_SUMMARY, serializeEvent, serializeEventSummary } from '#app/api/0/shapes/event.ts';
import { ISSUE, serializeIssue } from '#app/api/0/shapes/issue.ts';
import { serializeTransactionEvent, TRANSACTION_EVENT } from '#app/api/0/shapes/transaction-event.ts';
import { findEventAnywhere, getEvent, getEventOrTransaction } from '#product/events/get-event.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findEventNeighbors } from '#product/issues/issue-events.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

export const NO_NEIGHBOURS = { previousId: null, nextId: null };

export const eventOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/events/list-a-projects-error-events/ */
  get('projects/[org]/[project]/events', {
    summary: "Lists a project's events, newest first",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE, ...ENVIRONMENTS, ...SEARCH },
    refuses: ['full'],
    answer: z.array(EVENT_SUMMARY),
    isPaged: true,
    async handle({ ctx, project, query, page }) {
      const { search, ...input } = query;
      return page(async (cursor) => {
        const { events, nextCursor } = await listProjectEvents(ctx, {
          ...input,
          projectSlug: project.slug,
          query: search ?? '',
          cursor,
        });
        return { rows: events.map(({ event, issue }) => serializeEventSummary(event, issue)), nextCursor };
      });
    },
  }),

  /** An error, or a transaction with that id. Source: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/ */
  get('projects/[org]/[project]/events/[event]', {
    summary: "Retrieves a project's event",
    scopes: ['event:read'],
    answer: z.union([TRANSACTION_EVENT, EVENT]),
    async handle({ ctx, project, params }) {
      const input = { projectSlug: project.slug, eventId: params.event };
      const found = await getEventOrTransaction(ctx, input);
      if ('transaction' in found) return serializeTransactionEvent(found);
      const { event, issue } = found;
      const neighbors = issue ? await findEventNeighbors(ctx, issue, event) : NO_NEIGHBOURS;
      return serializeEvent(event, issue, neighbors);
    },
  }),

  /** An event as it is stored, with the stack traces as they were sent: what `sentry-cli sourcemaps explain` reads. */
  get('projects/[org]/[project]/events/[event]/json', {
    summary: 'Retrieves an event as stored',
    scopes: ['event:read'],
    answer: z.looseObject({
      event_id: z.string(),
      project: z.number(),
      title: z.string(),
      exception: z.looseObject({ values: z.array(z.unknown()) }),
    }),
    async handle({ ctx, project, params }) {
      const { event } = await getEvent(ctx, { projectSlug: project.slug, eventId: params.event });
      return {
        ...event.payload,
        event_id: event.eventId,
        project: event.projectId,
        title: event.title,
        exception: event.payload.exception ?? { values: [] },
      };
    },
  }),

  /** Which project has an event. Source: https://docs.sentry.io/api/organizations/resolve-an-event-id/ */
  get('organizations/[org]/eventids/[event]', {
    summary: 'Resolves an event ID to its project and issue',
    scopes: ['event:read'],
    answer: z.object({
      organizationSlug: z.string(),
      projectSlug: z.string(),
      groupId: z.string().nullable(),
      eventId: z.string(),
      event: EVENT,
    }),
    async handle({ ctx, params }) {
      const { event, issue, project } = await findEventAnywhere(ctx, params.event);
      const neighbors = issue ? await findEventNeighbors(ctx, issue, event) : NO_NEIGHBOURS;
      return {
        organizationSlug: ctx.organization.slug,
        projectSlug: project.slug,
        groupId: issue && String(issue.id),
        eventId: event.eventId,
        event: serializeEvent(event, issue, neighbors),
      };
    },
  }),

  /** Source: https://docs.sentry.io/api/organizations/resolve-a-short-id/ */
  get('organizations/[org]/shortids/[short]', {
    summary: 'Resolves a short ID to its issue',
    scopes: ['event:read'],
    answer: z.object({
      ...each(z.string(), 'organizationSlug', 'projectSlug', 'groupId'),
      group: ISSUE,
      shortId: z.string(),
    }),
    async handle({ ctx, params }) {
      const issue = await getIssue(ctx, params.short);
      const [projects, people] = await Promise.all([
        listVisibleProjects(ctx),
        findPeopleViews(ctx, [issue.id]),
      ]);
      const { organization, publicUrl } = ctx;
      const project = projects.find(({ id }) => id === issue.projectId) ?? null;
      return {
        organizationSlug: organization.slug,
        projectSlug: issue.projectSlug,
        groupId: String(issue.id),
        group: serializeIssue(issue, { organization, project, publicUrl, people: people.get(issue.id) }, []),
        shortId: issue.shortId,
      };
    },
  }),
];
