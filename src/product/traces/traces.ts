import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';
import type { EventScope, EventSummary } from '#storage/ports/events.ts';
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
  const { traceId, projects, scope } = await openTrace(ctx, traceIdText);
  const trace = await ctx.stores.telemetry.findTrace(scope, traceId, LIMITS);
  if (trace.spans.length + trace.errors.length === 0) throw traceNotFound(ctx, traceIdText);
  return { ...trace, traceId, projects, errors: await withIssues(ctx, trace.errors) };
}

/** What is needed to read a trace. Throws NotFound for what cannot be the id of one. */
export async function openTrace(
  ctx: Context,
  traceIdText: string,
): Promise<{ traceId: string; projects: readonly Project[]; scope: EventScope }> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const traceId = parseEventId(traceIdText);
  if (traceId === null) throw traceNotFound(ctx, traceIdText);
  return { traceId, projects, scope: eventScope(ctx, projects) };
}

export const traceNotFound = (ctx: Context, traceIdText: string) =>
  notFound(
    `Organization ${ctx.organization.slug} has no trace "${traceIdText.slice(0, 40)}": it may still be processing, or past its retention period`,
  );

const keyOf = (event: EventSummary): string => `${event.projectId}:${event.groupingHash}`;

/** At most as many look-ups as there are errors. */
export async function withIssues<Event extends EventSummary>(
  ctx: Context,
  errors: readonly Event[],
): Promise<readonly { event: Event; issue: Issue | null }[]> {
  const byKey = new Map(errors.map((event) => [keyOf(event), event]));
  const found = await Promise.all(
    [...byKey].map(
      async ([key, { projectId, groupingHash }]) =>
        [key, await ctx.stores.issues.findByHash(ctx.organization.id, projectId, groupingHash)] as const,
    ),
  );
  const issues = new Map(found);
  return errors.map((event) => ({ event, issue: issues.get(keyOf(event)) ?? null }));
}

const LISTED_MAX = 100;

/** What a trace consists of, over all projects that the caller may see. Throws NotFound when there is nothing. */
export async function countTrace(ctx: Context, traceIdText: string): Promise<TraceCounts> {
  const { traceId, scope } = await openTrace(ctx, traceIdText);
  const counts = await ctx.stores.telemetry.countTrace(scope, traceId, LISTED_MAX);
  if (counts.spans + counts.errors + counts.logs + counts.metrics === 0)
    throw traceNotFound(ctx, traceIdText);
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
