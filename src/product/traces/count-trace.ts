import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { TraceCounts } from '#storage/ports/telemetry-summaries.ts';
import { traceNotFound } from './get-trace.ts';

const LISTED_MAX = 100;

/** What a trace consists of, over all projects that the caller may see. Throws NotFound when there is nothing. */
export async function countTrace(ctx: Context, traceIdText: string): Promise<TraceCounts> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const traceId = parseEventId(traceIdText);
  const counts = traceId === null ? null : await ctx.stores.telemetry.countTrace(scope, traceId, LISTED_MAX);
  if (!counts || counts.spans + counts.errors + counts.logs + counts.metrics === 0) {
    throw traceNotFound(ctx, traceIdText);
  }
  return counts;
}
