import { z } from 'zod';
import { telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE } from '#app/api/0/query.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { findFeedbackIssues, listIssueFeedback } from '#product/feedback/feedback.ts';
import { listTelemetry } from '#product/telemetry/telemetry.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

const EVENT_REF = z.object({ id: z.string(), eventID: z.string() });

/** What somebody wrote; without an event when it came through the form of a page. */
export const FEEDBACK = z
  .object({
    id: z.string(),
    eventID: z.string().nullable(),
    event: EVENT_REF.nullable(),
    name: z.string(),
    email: z.string(),
    comments: z.string(),
    user: z.object({ email: z.string().nullable(), name: z.string().nullable() }).nullable(),
    issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
    dateCreated: z.string(),
    source: z.enum(['feedback', 'user_report']),
    url: z.string().nullable(),
    replayId: z.string().nullable(),
    traceId: z.string().nullable(),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    platform: z.string(),
    projectID: z.string(),
  })
  .meta({ id: 'Feedback' });

/** Feedback about an event. */
export const REPORT = FEEDBACK.extend({
  eventID: z.string(),
  event: EVENT_REF,
  user: z
    .object({
      email: z.string().nullable(),
      name: z.string().nullable(),
      id: z.string(),
      username: z.null(),
      ipAddress: z.null(),
      avatarUrl: z.null(),
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
    async handle({ ctx, project, query, page }) {
      return page(async (cursor) => {
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
      });
    },
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
        const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { cursor, limit });
        return { rows: rows.map((row) => serializeFeedback(row, issue)), nextCursor };
      });
    },
  }),

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
        const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { cursor, limit });
        return { rows: rows.map((row) => serializeReport(row, issue)), nextCursor };
      });
    },
  }),
];

/**
 * What somebody said; `issue` is the one of the error that it is about, null without one.
 * Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/
 */
export const serializeFeedback = (row: DigestedFeedback, issue: Issue | null) => ({
  id: row.feedbackId,
  eventID: row.associatedEventId,
  event:
    row.associatedEventId === null ? null : { id: row.associatedEventId, eventID: row.associatedEventId },
  name: row.name ?? '',
  email: row.email ?? '',
  comments: row.message,
  user: row.email === null && row.name === null ? null : { email: row.email, name: row.name },
  issue: issue && { id: String(issue.id), shortId: issue.shortId, title: issue.title },
  dateCreated: isoOfMs(row.occurredAt),
  source: row.source,
  url: row.url,
  replayId: row.replayId,
  traceId: row.traceId,
  release: row.release,
  environment: row.environment,
  platform: row.platform,
  projectID: String(row.projectId),
});

/** As the list of an issue's user reports has it: whom it is of is complete, and there is always an event. */
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
