import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { serializeFeedback } from '#app/api/0/serializers/serialize-feedback.ts';
import { findFeedbackIssues } from '#product/feedback/find-feedback-issues.ts';
import { listIssueFeedback } from '#product/feedback/list-issue-feedback.ts';
import { listTelemetry } from '#product/telemetry/list-telemetry.ts';
import { findIssue, type IssueParams } from './find-issue.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { readTelemetryFilter } from './telemetry-list-endpoint.ts';

/** Source: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/ */
export const listUserFeedbackEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
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
};

/** What people said about the events of an issue. */
export const listIssueFeedbackEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params, url }) => {
  refuseParameters(url, ['query', 'environment']);
  const { ctx, issue } = await findIssue(caller, params);
  const limit = readLimit(url);
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor } = await listIssueFeedback(ctx, issue, { cursor, limit });
    return { rows: rows.map((row) => serializeFeedback(row, issue)), nextCursor };
  });
};
