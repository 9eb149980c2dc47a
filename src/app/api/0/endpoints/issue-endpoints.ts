import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PAGE, RANGE, SEARCH } from '#app/api/0/parameters.ts';
import {
  readEnvironments,
  readLimit,
  readRange,
  refuseParameters,
  statsWindow,
} from '#app/api/0/read-parameters.ts';
import { EVENT, EVENT_SUMMARY } from '#app/api/0/schemas/event.ts';
import { ISSUE_DETAIL, ISSUES_CHANGE } from '#app/api/0/schemas/issue.ts';
import { serializeEvent, serializeEventSummary } from '#app/api/0/serializers/serialize-event.ts';
import { type IssueStats, serializeIssueDetail } from '#app/api/0/serializers/serialize-issue.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { findPeopleViews, getIssuePeople } from '#product/issue-user-state/user-state.ts';
import { getIssue, listIssueActivity } from '#product/issues/get-issue.ts';
import { getIssueEvent, listIssueEvents } from '#product/issues/issue-events.ts';
import { listIssueTags } from '#product/issues/issue-tags.ts';
import { getIssueTrend } from '#product/issues/list-issues.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { findIssue, type IssueParams } from './find-issue.ts';
import { anyTime } from './issue-tag-endpoints.ts';
import { ISSUE_UPDATE, readIssueUpdate } from './read-issue-update.ts';
import { updateSelected } from './update-issues-endpoint.ts';

const GET_ISSUE = {
  summary: 'Answers an issue',
  scopes: ['event:read'],
  answer: ISSUE_DETAIL,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export const getIssueEndpoint = declare<IssueParams>(GET_ISSUE, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  return answerIssue(ctx, issue);
});

const UPDATE_ISSUE = {
  summary: 'Changes an issue',
  scopes: ['event:write'],
  body: ISSUE_UPDATE,
  answer: z.union([ISSUE_DETAIL, ISSUES_CHANGE]),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/update-an-issue/ */
export const updateIssueEndpoint = declare<IssueParams>(UPDATE_ISSUE, async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  requireRight(ctx, 'event:write');
  const body = await readIssueUpdate(ctx, request);
  const answer = await updateSelected(ctx, [issue], body);
  return body.discard ? { body: answer } : answerIssue(ctx, await getIssue(ctx, String(issue.id)));
});

const LIST_ISSUE_EVENTS = {
  summary: 'Lists the events of an issue, newest first',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, ...ENVIRONMENTS, ...SEARCH },
  answer: z.array(EVENT_SUMMARY),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/list-an-issues-events/ */
export const listIssueEventsEndpoint = declare<IssueParams>(
  LIST_ISSUE_EVENTS,
  async ({ caller, params, url }) => {
    const { ctx, issue } = await findIssue(caller, params);
    const input = {
      limit: readLimit(url),
      range: readRange(url, ctx.now()),
      query: url.searchParams.get('query') ?? '',
      environments: readEnvironments(url),
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { events, nextCursor } = await listIssueEvents(ctx, issue, { ...input, cursor });
      return { rows: events.map((event) => serializeEventSummary(event, issue)), nextCursor };
    });
  },
);

const GET_ISSUE_EVENT = {
  summary: 'Answers an event of an issue, by id or as "latest", "oldest" or "recommended"',
  scopes: ['event:read'],
  answer: EVENT,
} satisfies Operation;

/** `event` is `recommended`, `latest`, `oldest` or an event id. Source: https://docs.sentry.io/api/events/retrieve-an-issue-event/ */
export const getIssueEventEndpoint = declare<IssueParams & { event: string }>(
  GET_ISSUE_EVENT,
  async (call) => {
    refuseParameters(call.url, ['environment']);
    const { ctx, issue } = await findIssue(call.caller, call.params);
    const found = await getIssueEvent(ctx, issue, call.params.event);
    if (!found) {
      throw notFound(
        `The issue ${issue.shortId} has no event "${call.params.event.slice(0, 40)}": it may be past its retention`,
      );
    }
    return { body: serializeEvent(found.event, issue, found) };
  },
);

async function answerIssue(ctx: Context, issue: Issue): Promise<ApiAnswer> {
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
  return { body: serializeIssueDetail(issue, around, stats, { activities, people, tags }) };
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
