import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { EVENT } from '#app/api/0/schemas/event.ts';
import { ISSUE } from '#app/api/0/schemas/issue.ts';
import { serializeEvent } from '#app/api/0/serializers/serialize-event.ts';
import { serializeIssue } from '#app/api/0/serializers/serialize-issue.ts';
import { findEventAnywhere } from '#product/events/get-event.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findEventNeighbours } from '#product/issues/issue-events.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { NO_NEIGHBOURS } from './project-endpoints.ts';

const RESOLVE_EVENT_ID = {
  summary: 'Answers which project and issue an event belongs to',
  scopes: ['event:read'],
  answer: z.object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    groupId: z.string().nullable(),
    eventId: z.string(),
    event: EVENT,
  }),
} satisfies Operation;

/** Which project has an event. Source: https://docs.sentry.io/api/organizations/resolve-an-event-id/ */
export const resolveEventIdEndpoint = declare<OrganizationParams & { event: string }>(
  RESOLVE_EVENT_ID,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const { event, issue, project } = await findEventAnywhere(ctx, call.params.event);
    const neighbours = issue ? await findEventNeighbours(ctx, issue, event) : NO_NEIGHBOURS;
    return {
      body: {
        organizationSlug: ctx.organization.slug,
        projectSlug: project.slug,
        groupId: issue && String(issue.id),
        eventId: event.eventId,
        event: serializeEvent(event, issue, neighbours),
      },
    };
  },
);

const RESOLVE_SHORT_ID = {
  summary: 'Answers the issue of a short id',
  scopes: ['event:read'],
  answer: z.object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    groupId: z.string(),
    group: ISSUE,
    shortId: z.string(),
  }),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/resolve-a-short-id/ */
export const resolveShortIdEndpoint = declare<OrganizationParams & { short: string }>(
  RESOLVE_SHORT_ID,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const issue = await getIssue(ctx, call.params.short);
    const [projects, people] = await Promise.all([
      listVisibleProjects(ctx),
      findPeopleViews(ctx, [issue.id]),
    ]);
    const { organization, publicUrl } = ctx;
    const project = projects.find(({ id }) => id === issue.projectId) ?? null;
    return {
      body: {
        organizationSlug: organization.slug,
        projectSlug: issue.projectSlug,
        groupId: String(issue.id),
        group: serializeIssue(issue, { organization, project, publicUrl, people: people.get(issue.id) }, []),
        shortId: issue.shortId,
      },
    };
  },
);
