import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { TRACE_ERROR, TRACE_META, TRACE_SPAN } from '#app/api/0/schemas/trace.ts';
import { serializeTrace } from '#app/api/0/serializers/serialize-trace.ts';
import { countTrace, getTrace } from '#product/traces/traces.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

type TraceParams = OrganizationParams & { trace: string };

const GET_TRACE_TREE = {
  summary: 'Answers the spans and errors of a trace as a tree',
  scopes: ['event:read'],
  answer: z.array(z.discriminatedUnion('event_type', [TRACE_SPAN, TRACE_ERROR])),
} satisfies Operation;

/** As a tree. Source: https://docs.sentry.io/api/discover/retrieve-a-trace/ */
export const getTraceTreeEndpoint = declare<TraceParams>(GET_TRACE_TREE, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: serializeTrace(await getTrace(ctx, params.trace)) };
});

const GET_TRACE_META = {
  summary: 'Counts what a trace consists of',
  scopes: ['event:read'],
  answer: TRACE_META,
} satisfies Operation;

/** What it consists of. Source: https://docs.sentry.io/api/discover/retrieve-trace-metadata/ */
export const getTraceMetaEndpoint = declare<TraceParams>(GET_TRACE_META, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  const counts = await countTrace(ctx, params.trace);
  return {
    body: {
      errorsCount: counts.errors,
      logsCount: counts.logs,
      metricsCount: counts.metrics,
      // Nothing is made an issue here but errors.
      performanceIssuesCount: 0,
      spansCount: counts.spans,
      transactionChildCountMap: counts.transactions.map(({ eventId, spans }) => ({
        'transaction.event_id': eventId,
        'count()': spans,
      })),
      spansCountMap: Object.fromEntries(counts.operations.map(({ op, spans }) => [op, spans])),
    },
  };
});
