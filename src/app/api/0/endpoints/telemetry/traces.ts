import { z } from 'zod';
import { serializeTrace, TRACE_ERROR, TRACE_SPAN } from '#app/api/0/endpoints/telemetry/trace-tree.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { each } from '#app/api/0/shape.ts';
import { EVENT_SUMMARY, serializeEventSummary } from '#app/api/0/shapes/event.ts';
import { SPAN, serializeSpan } from '#app/api/0/shapes/telemetry.ts';
import { countTrace, getTrace } from '#product/traces/traces.ts';

export const TRACE_META = z
  .object({
    ...each(z.number(), 'errorsCount', 'logsCount', 'metricsCount', 'performanceIssuesCount', 'spansCount'),
    transactionChildCountMap: z.array(
      z.object({ 'transaction.event_id': z.string(), 'count()': z.number() }),
    ),
    spansCountMap: z.record(z.string(), z.number()),
  })
  .meta({ id: 'TraceMeta' });

const OF_PROJECT = { projectSlug: z.string().nullable() };

export const FLAT_TRACE = z
  .object({
    traceId: z.string(),
    startTimestamp: z.number().nullable(),
    endTimestamp: z.number().nullable(),
    spans: z.array(SPAN.extend(OF_PROJECT)),
    hasMoreSpans: z.boolean(),
    errors: z.array(EVENT_SUMMARY.extend(OF_PROJECT)),
    hasMoreErrors: z.boolean(),
  })
  .meta({ id: 'FlatTrace' });

export const traceOperations: readonly Operation[] = [
  /** As a tree. Source: https://docs.sentry.io/api/discover/retrieve-a-trace/ */
  get('organizations/[org]/trace/[trace]', {
    summary: "Retrieves a trace's spans and errors as a tree",
    scopes: ['event:read'],
    answer: z.array(z.discriminatedUnion('event_type', [TRACE_SPAN, TRACE_ERROR])),
    handle: async ({ ctx, params }) => serializeTrace(await getTrace(ctx, params.trace)),
  }),

  /** What it consists of. Source: https://docs.sentry.io/api/discover/retrieve-trace-metadata/ */
  get('organizations/[org]/trace-meta/[trace]', {
    summary: "Counts a trace's spans and errors",
    scopes: ['event:read'],
    answer: TRACE_META,
    async handle({ ctx, params }) {
      const counts = await countTrace(ctx, params.trace);
      return {
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
      };
    },
  }),

  /** Over all projects: spans as a flat list, each with the id of its parent, and the errors beside them. */
  get('organizations/[org]/traces/[trace]', {
    summary: "Retrieves a trace's spans and errors as flat lists",
    scopes: ['event:read'],
    answer: FLAT_TRACE,
    async handle({ ctx, params }) {
      const trace = await getTrace(ctx, params.trace);
      const slugs = new Map(trace.projects.map((project) => [project.id, project.slug]));
      const starts = trace.spans.map((span) => span.startedAtUs);
      const ends = trace.spans.map((span) => span.startedAtUs + span.durationUs);
      return {
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
      };
    },
  }),
];
