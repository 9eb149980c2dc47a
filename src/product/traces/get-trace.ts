import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { TraceContents } from '#storage/ports/telemetry-summaries.ts';

const LIMITS = { spans: 5_000, errors: 200 } as const;

export type Trace = Omit<TraceContents, 'errors'> & {
  traceId: string;
  /** Each with its issue; null when the issue is gone. */
  errors: readonly { event: EventSummary; issue: Issue | null }[];
  /** Every project that the caller may see. */
  projects: readonly Project[];
};

/**
 * The spans and errors of a trace over all projects that the caller may see, oldest first, the first 5,000 spans and
 * 200 errors. Throws NotFound when there are none.
 */
export async function getTrace(ctx: Context, traceIdText: string): Promise<Trace> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, []);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
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
    `The organization ${ctx.organization.slug} has no trace "${traceIdText.slice(0, 40)}": it may still be on its way, or past its retention`,
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
