import { z } from 'zod';
import { EVENT_SUMMARY } from './event.ts';
import { LEVEL } from './parts.ts';
import { SPAN } from './telemetry.ts';

export const TRACE_ERROR = z
  .object({
    event_id: z.string(),
    event_type: z.literal('error'),
    issue_id: z.number().nullable(),
    issue: z.string().nullable(),
    project_id: z.number(),
    project_slug: z.string(),
    title: z.string(),
    message: z.string(),
    culprit: z.string(),
    level: LEVEL,
    transaction: z.string(),
    timestamp: z.string(),
  })
  .meta({ id: 'TraceError' });

/** A span with what it started. */
export const TRACE_SPAN = z
  .object({
    event_id: z.string(),
    event_type: z.literal('span'),
    span_id: z.string(),
    transaction_id: z.string(),
    project_id: z.number(),
    project_slug: z.string(),
    transaction: z.string(),
    description: z.string(),
    op: z.string(),
    name: z.string(),
    parent_span_id: z.string().nullable(),
    profile_id: z.string(),
    profiler_id: z.string(),
    sdk_name: z.string(),
    is_transaction: z.boolean(),
    /** Seconds since the epoch. */
    start_timestamp: z.number(),
    end_timestamp: z.number(),
    /** Milliseconds. */
    duration: z.number(),
    measurements: z.object({}),
    status: z.string(),
    get children() {
      return z.array(TRACE_SPAN);
    },
    errors: z.array(z.unknown()),
    occurrences: z.array(z.unknown()),
  })
  .meta({ id: 'TraceSpan' });

export const TRACE_META = z
  .object({
    errorsCount: z.number(),
    logsCount: z.number(),
    metricsCount: z.number(),
    performanceIssuesCount: z.number(),
    spansCount: z.number(),
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
