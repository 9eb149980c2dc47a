import { z } from 'zod';
import { ISSUE_UPDATE, readIssueUpdate } from '#app/api/0/endpoints/issues/issue-update.ts';
import { anyTime } from '#app/api/0/endpoints/issues/tags.ts';
import { updateSelected } from '#app/api/0/endpoints/issues/update-issues.ts';
import { del, get, type Operation, put } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PAGE, RANGE, SEARCH } from '#app/api/0/query.ts';
import { statsWindow } from '#app/api/0/query-values.ts';
import { EVENT, EVENT_SUMMARY, serializeEvent, serializeEventSummary } from '#app/api/0/shapes/event.ts';
import {
  ISSUE_DETAIL,
  ISSUES_CHANGE,
  type IssueStats,
  serializeIssueDetail,
} from '#app/api/0/shapes/issue.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { findPeopleViews, getIssuePeople } from '#product/issue-user-state/user-state.ts';
import { getIssue, listIssueActivity } from '#product/issues/get-issue.ts';
import { getEventBeside, getIssueTrend, listIssueEvents } from '#product/issues/issue-events.ts';
import { listIssueTags } from '#product/issues/issue-tags.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
export const issueOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
  get(['issues/[issue]', 'organizations/[org]/issues/[issue]'], {
    summary: 'Answers an issue',
    scopes: ['event:read'],
    answer: ISSUE_DETAIL,
    handle: async ({ ctx, issue }) => describeIssue(ctx, issue),
  }),

  /** Source: https://docs.sentry.io/api/events/update-an-issue/ */
  put(['issues/[issue]', 'organizations/[org]/issues/[issue]'], {
    summary: 'Updates an issue',
    scopes: ['event:write'],
    body: ISSUE_UPDATE,
    answer: z.union([ISSUE_DETAIL, ISSUES_CHANGE]),
    async handle({ ctx, issue, body }) {
      requireRight(ctx, 'event:write');
      const change = await readIssueUpdate(ctx, body);
      const answer = await updateSelected(ctx, [issue], change);
      return change.discard ? answer : describeIssue(ctx, await getIssue(ctx, String(issue.id)));
    },
  }),

  /** Source: https://docs.sentry.io/api/events/list-an-issues-events/ */
  get(['issues/[issue]/events', 'organizations/[org]/issues/[issue]/events'], {
    summary: "Lists an issue's events, newest first",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE, ...ENVIRONMENTS, ...SEARCH },
    answer: z.array(EVENT_SUMMARY),
    isPaged: true,
    async handle({ ctx, issue, query, page }) {
      const { search, ...input } = query;
      return page(async (cursor) => {
        const { events, nextCursor } = await listIssueEvents(ctx, issue, {
          ...input,
          query: search ?? '',
          cursor,
        });
        return { rows: events.map((event) => serializeEventSummary(event, issue)), nextCursor };
      });
    },
  }),

  /** `event` is `recommended`, `latest`, `oldest` or an event id. Source: https://docs.sentry.io/api/events/retrieve-an-issue-event/ */
  get(['issues/[issue]/events/[event]', 'organizations/[org]/issues/[issue]/events/[event]'], {
    summary: 'Retrieves an issue\'s event, by ID or as "latest", "oldest", or "recommended"',
    scopes: ['event:read'],
    refuses: ['environment'],
    answer: EVENT,
    async handle({ ctx, issue, params }) {
      const found = await getEventBeside(ctx, issue, params.event);
      if (!found) {
        throw notFound(
          `The issue ${issue.shortId} has no event "${params.event.slice(0, 40)}": it may be past its retention`,
        );
      }
      return serializeEvent(found.event, issue, found.beside);
    },
  }),

  /** Source: https://docs.sentry.io/api/events/remove-an-issue/ */
  del(['issues/[issue]', 'organizations/[org]/issues/[issue]'], {
    summary: 'Deletes an issue',
    scopes: ['event:admin'],
    answer: z.object({}),
    status: 202,
    async handle({ ctx, issue }) {
      await deleteIssues(ctx, { issueIds: [issue.id], discard: false });
      return {};
    },
  }),
];

async function describeIssue(ctx: Context, issue: Issue) {
  const [stats, activities, projects, views, people, tags] = await Promise.all([
    readStats(ctx, issue),
    listIssueActivity(ctx, issue),
    listVisibleProjects(ctx),
    findPeopleViews(ctx, [issue.id]),
    getIssuePeople(ctx, issue),
    listIssueTags(ctx, issue, { range: anyTime(ctx) }),
  ]);
  const around = {
    organization: ctx.organization,
    project: projects.find((candidate) => candidate.id === issue.projectId) ?? null,
    publicUrl: ctx.publicUrl,
    people: views.get(issue.id),
  };
  return serializeIssueDetail(issue, around, stats, { activities, people, tags });
}

async function readStats(ctx: Context, issue: Issue): Promise<readonly IssueStats[]> {
  return Promise.all(
    ['30d', '24h'].map(async (name) => {
      const { range, bucketMs } = statsWindow(name, ctx.now());
      const activity = await getIssueTrend(ctx, issue, { range, bucketMs });
      return { name, fromMs: range.fromMs, bucketMs, activity };
    }),
  );
}
