import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { serializeEventSummary } from '#app/api/0/serializers/serialize-event.ts';
import { serializeSpan, serializeTransaction } from '#app/api/0/serializers/serialize-telemetry.ts';
import { serializeTransactionEvent } from '#app/api/0/serializers/serialize-transaction-event.ts';
import { getTrace } from '#product/traces/get-trace.ts';
import { getTransaction } from '#product/transactions/get-transaction.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

export const listTransactionsEndpoint = telemetryListEndpoint(
  'transactions',
  ['traceId', 'replayId', 'name', 'release', 'environment'],
  serializeTransaction,
);

export const listSpansEndpoint = telemetryListEndpoint(
  'spans',
  ['traceId', 'transactionId', 'name', 'release', 'environment'],
  serializeSpan,
);

export const getTransactionEndpoint: ApiEndpoint<ProjectParams & { event: string }> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const input = { projectSlug: project.slug, eventId: call.params.event };
  return { body: serializeTransactionEvent(await getTransaction(ctx, input)) };
};

/** Over all projects: spans as a flat list, each with the id of its parent, and the errors beside them. */
export const getTraceEndpoint: ApiEndpoint<OrganizationParams & { trace: string }> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const trace = await getTrace(ctx, call.params.trace);
  const slugs = new Map(trace.projects.map((project) => [project.id, project.slug]));
  const starts = trace.spans.map((span) => span.startedAtUs);
  const ends = trace.spans.map((span) => span.startedAtUs + span.durationUs);
  return {
    body: {
      traceId: trace.traceId,
      startTimestamp: starts.length === 0 ? null : starts.reduce((a, b) => Math.min(a, b)) / 1_000_000,
      endTimestamp: ends.length === 0 ? null : ends.reduce((a, b) => Math.max(a, b)) / 1_000_000,
      spans: trace.spans.map((span) => ({
        ...serializeSpan(span),
        projectSlug: slugs.get(span.projectId) ?? null,
      })),
      hasMoreSpans: trace.hasMoreSpans,
      errors: trace.errors.map(({ event, issue }) => ({
        ...serializeEventSummary(event, issue),
        projectSlug: slugs.get(event.projectId) ?? null,
      })),
      hasMoreErrors: trace.hasMoreErrors,
    },
  };
};
