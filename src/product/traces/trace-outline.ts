import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { type ArrangedSpan, arrangeSpans } from '#domain/traces/arrange-spans.ts';
import type { VitalValues } from '#domain/traces/web-vitals.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import type { DigestedLog, DigestedProfile, DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';
import type { SpanOutline, TraceOutline as StoredOutline } from '#storage/ports/telemetry.ts';
import { listTraceRoots, type TraceTransaction } from './list-trace-transactions.ts';
import { openTrace, traceNotFound, withIssues } from './traces.ts';

export const TRACE_SPANS_MAX = 50_000;
export const TRACE_ERRORS_MAX = 1_000;
export const TRACE_LOGS_MAX = 500;
const TRANSACTIONS_MAX = 200;
const PROFILES_MAX = 100;

export type TraceOutline = {
  traceId: string;
  /** As they are read: each right before those that it started. */
  spans: readonly ArrangedSpan<SpanOutline>[];
  hasMoreSpans: boolean;
  /** Oldest first, each with its issue; null when that is gone. */
  errors: readonly { event: StoredOutline['errors'][number]; issue: Issue | null }[];
  hasMoreErrors: boolean;
  /** Those that SDKs sent as such, oldest first, up to 200: they name their profiles. */
  transactions: readonly DigestedTransaction[];
  /** Those of all SDKs, oldest first, up to 100. */
  roots: readonly TraceTransaction[];
  vitals: VitalValues;
  /** Oldest first, the last 500. */
  logs: readonly DigestedLog[];
  hasMoreLogs: boolean;
  profiles: readonly DigestedProfile[];
  /** Every project that the caller may see. */
  projects: readonly Project[];
};

/** A trace over all visible projects as a page shows it: at most 50,000 spans and 1,000 errors. Throws NotFound. */
export async function getTraceOutline(ctx: Context, traceIdText: string): Promise<TraceOutline> {
  const { traceId, projects, scope } = await openTrace(ctx, traceIdText);
  const { telemetry } = ctx.stores;
  const newest = <Kind extends 'transactions' | 'logs' | 'profiles'>(kind: Kind, limit: number) =>
    telemetry.list(kind, scope, { limit, before: null, range: null, filter: { traceId } });
  const [outline, transactions, logs, profiles] = await Promise.all([
    telemetry.outlineTrace(scope, traceId, { spans: TRACE_SPANS_MAX, errors: TRACE_ERRORS_MAX }),
    newest('transactions', TRANSACTIONS_MAX),
    newest('logs', TRACE_LOGS_MAX),
    newest('profiles', PROFILES_MAX),
  ]);
  if (outline.spans.length + outline.errors.length + logs.rows.length === 0) {
    throw traceNotFound(ctx, traceIdText);
  }
  const range = rangeOf(outline.spans);
  const { roots, vitals } = range ? await listTraceRoots(ctx, { traceId, range }) : { roots: [], vitals: {} };
  return {
    ...outline,
    traceId,
    projects,
    roots,
    vitals,
    spans: arrangeSpans(outline.spans),
    errors: await withIssues(ctx, outline.errors),
    transactions: transactions.rows.toReversed(),
    logs: logs.rows.toReversed(),
    hasMoreLogs: logs.next !== null,
    profiles: profiles.rows.toReversed(),
  };
}

const US_PER_MS = 1_000;

/** When spans began, in milliseconds since the epoch; null for none. */
function rangeOf(spans: readonly SpanOutline[]): Range | null {
  if (spans.length === 0) return null;
  const [first, last] = spans.reduce(
    ([from, to], { startedAtUs }) => [Math.min(from, startedAtUs), Math.max(to, startedAtUs)],
    [Infinity, -Infinity],
  );
  return { fromMs: Math.floor(first / US_PER_MS), toMs: Math.floor(last / US_PER_MS) + 1 };
}

/** One span with all that was sent of it. Throws NotFound. */
export async function getTraceSpan(
  ctx: Context,
  { traceId: traceIdText, spanId }: { traceId: string; spanId: string },
): Promise<DigestedSpan> {
  const { traceId, scope } = await openTrace(ctx, traceIdText);
  const span = await ctx.stores.telemetry.findSpan(scope, traceId, spanId);
  if (!span)
    throw notFound(`The trace has no span "${spanId.slice(0, 40)}": it may be past its retention period`);
  return span;
}
