import { z } from 'zod';
import { telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation, post } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE } from '#app/api/0/query.ts';
import { each, idOf, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { ACTIVITY, serializeActivity } from '#app/api/0/shapes/activity.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { findFeedbackIssues, listIssueFeedback } from '#product/feedback/feedback.ts';
import { REPLY_CHARACTERS_MAX, replyToFeedback } from '#product/feedback/reply-to-feedback.ts';
import { resendReply } from '#product/feedback/resend-reply.ts';
import { getServices } from '#product/services.ts';
import { listTelemetry } from '#product/telemetry/telemetry.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

const TEXT_OR_NULL = z.string().nullable();
const EVENT_REF = z.object(each(z.string(), 'id', 'eventID'));
const [ISSUE_REF, serializeIssueRef] = shapeOf<Issue>()({
  id: idOf('id'),
  ...each(z.string(), 'shortId', 'title'),
});

/**
 * What somebody wrote; without an event when it came through the form of a page. `issue` is the one of the error that it
 * is about, null without one.
 * Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/
 */
export const [FEEDBACK, serializeFeedback] = shapeOf<DigestedFeedback, [issue: Issue | null]>()(
  {
    id: [z.string(), 'feedbackId'],
    eventID: [TEXT_OR_NULL, 'associatedEventId'],
    event: [EVENT_REF.nullable(), ({ associatedEventId: id }) => (id === null ? null : { id, eventID: id })],
    name: [z.string(), ({ name }) => name ?? ''],
    email: [z.string(), ({ email }) => email ?? ''],
    comments: [z.string(), 'message'],
    user: [
      z.object(each(TEXT_OR_NULL, 'email', 'name')).nullable(),
      ({ email, name }) => (email === null && name === null ? null : { email, name }),
    ],
    issue: [ISSUE_REF.nullable(), (_, issue) => issue && serializeIssueRef(issue)],
    dateCreated: isoMs('occurredAt'),
    source: z.enum(['feedback', 'user_report']),
    ...each(TEXT_OR_NULL, 'url', 'replayId', 'traceId', 'release', 'environment'),
    platform: z.string(),
    projectID: idOf('projectId'),
  },
  'Feedback',
);

/** Feedback about an event. */
export const REPORT = FEEDBACK.extend({
  eventID: z.string(),
  event: EVENT_REF,
  user: z
    .object({
      ...each(TEXT_OR_NULL, 'email', 'name'),
      id: z.string(),
      ...each(z.null(), 'username', 'ipAddress', 'avatarUrl'),
    })
    .nullable(),
}).meta({ id: 'Report' });

export const feedbackOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/ */
  get('projects/[org]/[project]/user-feedback', {
    summary: "Lists a project's user feedback",
    scopes: ['event:read'],
    query: telemetryQuery(['associatedEventId', 'replayId', 'traceId', 'release', 'environment']),
    answer: z.array(FEEDBACK),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) =>
      page(async (cursor) => {
        const { rows, nextCursor } = await listTelemetry(ctx, 'feedback', {
          projectSlug: project.slug,
          ...query,
          cursor,
        });
        const issues = await findFeedbackIssues(ctx, rows);
        return {
          rows: rows.map((row) => serializeFeedback(row, issues.get(row.associatedEventId ?? '') ?? null)),
          nextCursor,
        };
      }),
  }),

  /** What people said about the events of an issue. */
  get(['issues/[issue]/user-feedback', 'organizations/[org]/issues/[issue]/user-feedback'], {
    summary: 'Lists user feedback for an issue',
    scopes: ['event:read'],
    query: { ...PAGE },
    refuses: ['query', 'environment'],
    answer: z.array(FEEDBACK),
    isPaged: true,
    async handle({ ctx, issue, query, page }) {
      const { limit } = query;
      return page(async (cursor) => {
        const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { range: null, cursor, limit });
        return { rows: rows.map((row) => serializeFeedback(row, issue)), nextCursor };
      });
    },
  }),

  /** Emails an answer to whoever sent the feedback. Not an endpoint of Sentry. */
  post(['issues/[issue]/feedback-replies', 'organizations/[org]/issues/[issue]/feedback-replies'], {
    summary: 'Replies to user feedback by email',
    scopes: ['event:write'],
    body: z.object({
      text: z.string().max(REPLY_CHARACTERS_MAX * 2),
      eventID: z.string().optional().describe('ID of the feedback; the newest of the issue if absent'),
    }),
    answer: ACTIVITY,
    status: 201,
    handle: async ({ ctx, issue, body: { text, eventID } }) =>
      serializeActivity(
        await replyToFeedback(ctx, getServices().mailer, issue, { eventId: eventID ?? null, text }),
      ),
  }),

  /** As the page does for a reply whose mail failed. Not an endpoint of Sentry. */
  post(
    [
      'issues/[issue]/feedback-replies/[reply]/resend',
      'organizations/[org]/issues/[issue]/feedback-replies/[reply]/resend',
    ],
    {
      summary: 'Sends a failed reply to user feedback again',
      scopes: ['event:write'],
      answer: ACTIVITY,
      async handle({ ctx, issue, params: { reply } }) {
        const missing = `${issue.shortId} has no reply "${reply.slice(0, 40)}"`;
        const replyId = readPathNumber(reply, missing);
        return serializeActivity(await resendReply(ctx, getServices().mailer, issue, { replyId }));
      },
    },
  ),

  /** The same as reports, which all have an event. Source: `user-reports` of an issue, as Sentry's MCP server reads it. */
  get(['issues/[issue]/user-reports', 'organizations/[org]/issues/[issue]/user-reports'], {
    summary: 'Lists user feedback for an issue, in the legacy format',
    scopes: ['event:read'],
    query: { ...PAGE },
    answer: z.array(REPORT),
    isPaged: true,
    async handle({ ctx, issue, query, page }) {
      const { limit } = query;
      return page(async (cursor) => {
        const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { range: null, cursor, limit });
        return { rows: rows.map((row) => serializeReport(row, issue)), nextCursor };
      });
    },
  }),
];

/** As in an issue's user reports: the user is complete, and there is always an event. */
export const serializeReport = (row: DigestedFeedback, issue: Issue) => {
  const eventId = row.associatedEventId ?? '';
  const { user, ...feedback } = serializeFeedback(row, issue);
  return {
    ...feedback,
    eventID: eventId,
    event: { id: eventId, eventID: eventId },
    user: user && { id: '', username: null, ipAddress: null, avatarUrl: null, ...user },
  };
};
