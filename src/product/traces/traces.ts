import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import { eventScope, listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import type { TraceContents, TraceCounts } from '#storage/ports/telemetry.ts';

const LIMITS = { spans: 5_000, errors: 200 } as const;

export type Trace = Omit<TraceContents, 'errors'> & {
  traceId: string;
  /** Each with its issue; null when the issue is gone. */
  errors: readonly { event: EventSummary; issue: Issue | null }[];
  /** Every project that the caller may see. */
  projects: readonly Project[];
};

/** A trace over all visible projects, oldest first: at most 5,000 spans and 200 errors. Throws NotFound. */
export async function getTrace(ctx: Context, traceIdText: string): Promise<Trace> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, []);
  const scope = eventScope(ctx, projects);
  const traceId = parseEventId(traceIdText);
  const trace = traceId === null ? null : await ctx.stores.telemetry.findTrace(scope, traceId, LIMITS);
  if (traceId === null || !trace || trace.spans.length + trace.errors.length === 0) {
    throw traceNotFound(ctx, traceIdText);
  }
  const issues = await findIssues(ctx, trace.errors);
  return {
    ...trace,
    traceId,
    projects,
    errors: trace.errors.map((event) => ({ event, issue: issues.get(keyOf(event)) ?? null })),
  };
}

export const traceNotFound = (ctx: Context, traceIdText: string) =>
  notFound(
    `Organization ${ctx.organization.slug} has no trace "${traceIdText.slice(0, 40)}": it may still be processing, or past its retention period`,
  );

const keyOf = (event: EventSummary): string => `${event.projectId}:${event.groupingHash}`;

/** At most as many look-ups as there are errors. */
async function findIssues(
  ctx: Context,
  errors: readonly EventSummary[],
): Promise<ReadonlyMap<string, Issue | null>> {
  const byKey = new Map(errors.map((event) => [keyOf(event), event]));
  const found = await Promise.all(
    [...byKey].map(
      async ([key, { projectId, groupingHash }]) =>
        [key, await ctx.stores.issues.findByHash(ctx.organization.id, projectId, groupingHash)] as const,
    ),
  );
  return new Map(found);
}

const LISTED_MAX = 100;

/** What a trace consists of, over all projects that the caller may see. Throws NotFound when there is nothing. */
export async function countTrace(ctx: Context, traceIdText: string): Promise<TraceCounts> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const scope = eventScope(ctx, projects);
  const traceId = parseEventId(traceIdText);
  const counts = traceId === null ? null : await ctx.stores.telemetry.countTrace(scope, traceId, LISTED_MAX);
  if (!counts || counts.spans + counts.errors + counts.logs + counts.metrics === 0) {
    throw traceNotFound(ctx, traceIdText);
  }
  return counts;
}

/** A transaction has at most this many spans. */
const SPANS_MAX = 1_000;

export type TransactionWithSpans = {
  transaction: DigestedTransaction;
  /** Oldest first, without the root span; at most 1,000. */
  spans: readonly DigestedSpan[];
};

/** Throws NotFound when the project has no such transaction. */
export async function getTransaction(
  ctx: Context,
  { projectSlug, eventId }: { projectSlug: string; eventId: string },
): Promise<TransactionWithSpans> {
  const transaction = await getTelemetry(ctx, 'transactions', { projectSlug, id: eventId });
  const { rows } = await ctx.stores.telemetry.list('spans', eventScope(ctx, [transaction.projectId]), {
    limit: SPANS_MAX,
    before: null,
    range: null,
    filter: { transactionId: transaction.eventId, traceId: transaction.traceId },
  });
  return { transaction, spans: rows.filter(({ spanId }) => spanId !== transaction.spanId).reverse() };
}
