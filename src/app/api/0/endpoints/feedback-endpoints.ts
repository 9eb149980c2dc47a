import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, RANGE } from '#app/api/0/parameters.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { FEEDBACK, REPORT } from '#app/api/0/schemas/feedback.ts';
import { serializeFeedback, serializeReport } from '#app/api/0/serializers/serialize-feedback.ts';
import { findFeedbackIssues, listIssueFeedback } from '#product/feedback/feedback.ts';
import { listTelemetry } from '#product/telemetry/telemetry.ts';
import { findIssue, type IssueParams } from './find-issue.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { readTelemetryFilter } from './telemetry-list-endpoint.ts';

const LIST_USER_FEEDBACK = {
  summary: 'Lists feedback of a project',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE },
  answer: z.array(FEEDBACK),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/ */
export const listUserFeedbackEndpoint = declare<ProjectParams>(
  LIST_USER_FEEDBACK,
  async ({ caller, params, url }) => {
    const names = ['associatedEventId', 'replayId', 'traceId', 'release', 'environment'] as const;
    const filter = readTelemetryFilter(url, names);
    const { ctx, project } = await findProject(caller, params);
    const input = {
      projectSlug: project.slug,
      limit: readLimit(url),
      range: readRange(url, ctx.now()),
      filter,
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listTelemetry(ctx, 'feedback', { ...input, cursor });
      const issues = await findFeedbackIssues(ctx, rows);
      return {
        rows: rows.map((row) => serializeFeedback(row, issues.get(row.associatedEventId ?? '') ?? null)),
        nextCursor,
      };
    });
  },
);

const LIST_ISSUE_FEEDBACK = {
  summary: 'Lists feedback about the events of an issue',
  scopes: ['event:read'],
  query: { ...PAGE },
  answer: z.array(FEEDBACK),
  isPaged: true,
} satisfies Operation;

/** What people said about the events of an issue. */
export const listIssueFeedbackEndpoint = declare<IssueParams>(
  LIST_ISSUE_FEEDBACK,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['query', 'environment']);
    const { ctx, issue } = await findIssue(caller, params);
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { cursor, limit });
      return { rows: rows.map((row) => serializeFeedback(row, issue)), nextCursor };
    });
  },
);

const LIST_ISSUE_REPORTS = {
  summary: 'Lists feedback about the events of an issue, in the older shape',
  scopes: ['event:read'],
  query: { ...PAGE },
  answer: z.array(REPORT),
  isPaged: true,
} satisfies Operation;

/** The same as reports, which all have an event. Source: `user-reports` of an issue, as Sentry's MCP server reads it. */
export const listIssueReportsEndpoint = declare<IssueParams>(
  LIST_ISSUE_REPORTS,
  async ({ caller, params, url }) => {
    const { ctx, issue } = await findIssue(caller, params);
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { cursor, limit });
      return { rows: rows.map((row) => serializeReport(row, issue)), nextCursor };
    });
  },
);
