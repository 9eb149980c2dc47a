import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { keptBy, PAGE, RANGE } from '#app/api/0/parameters.ts';
import { SPAN, TRANSACTION } from '#app/api/0/schemas/telemetry.ts';
import { FLAT_TRACE } from '#app/api/0/schemas/trace.ts';
import { TRANSACTION_EVENT } from '#app/api/0/schemas/transaction-event.ts';
import { serializeEventSummary } from '#app/api/0/serializers/serialize-event.ts';
import { serializeSpan, serializeTransaction } from '#app/api/0/serializers/serialize-telemetry.ts';
import { serializeTransactionEvent } from '#app/api/0/serializers/serialize-transaction-event.ts';
import { getTrace, getTransaction } from '#product/traces/traces.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const LIST_TRANSACTIONS = {
  summary: 'Lists transactions of a project, newest first',
  scopes: ['event:read'],
  query: { ...keptBy(['traceId', 'replayId', 'name', 'release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(TRANSACTION),
  isPaged: true,
} satisfies Operation;

export const listTransactionsEndpoint = declare(
  LIST_TRANSACTIONS,
  telemetryListEndpoint(
    'transactions',
    ['traceId', 'replayId', 'name', 'release', 'environment'],
    serializeTransaction,
  ),
);

const LIST_SPANS = {
  summary: 'Lists spans of a project, newest first',
  scopes: ['event:read'],
  query: { ...keptBy(['traceId', 'transactionId', 'name', 'release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(SPAN),
  isPaged: true,
} satisfies Operation;

export const listSpansEndpoint = declare(
  LIST_SPANS,
  telemetryListEndpoint(
    'spans',
    ['traceId', 'transactionId', 'name', 'release', 'environment'],
    serializeSpan,
  ),
);

const GET_TRANSACTION = {
  summary: 'Answers a transaction with its spans',
  scopes: ['event:read'],
  answer: TRANSACTION_EVENT,
} satisfies Operation;

export const getTransactionEndpoint = declare<ProjectParams & { event: string }>(
  GET_TRANSACTION,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const input = { projectSlug: project.slug, eventId: call.params.event };
    return { body: serializeTransactionEvent(await getTransaction(ctx, input)) };
  },
);

const GET_TRACE = {
  summary: 'Answers the spans and errors of a trace as flat lists',
  scopes: ['event:read'],
  answer: FLAT_TRACE,
} satisfies Operation;

/** Over all projects: spans as a flat list, each with the id of its parent, and the errors beside them. */
export const getTraceEndpoint = declare<OrganizationParams & { trace: string }>(GET_TRACE, async (call) => {
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
});
