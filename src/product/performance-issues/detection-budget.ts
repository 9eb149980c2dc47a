import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/visible-projects.ts';

/** Events of performance issues that one project may make in a clock hour; above it, detection pauses until the next. */
export const DETECTED_EVENTS_PER_HOUR_MAX = 1_000;

export type DetectionBudget = {
  /** Events of performance issues in this clock hour. */
  spent: number;
  perHour: number;
  /** Milliseconds since the epoch: when the next hour begins. */
  renewsAt: number;
};

/** How much of a project's budget is spent. Throws NotFound, and Unavailable while the event store is away. */
export async function getDetectionBudget(ctx: Context, projectSlug: string): Promise<DetectionBudget> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, projectSlug);
  const fromMs = Math.floor(ctx.now() / HOUR_MS) * HOUR_MS;
  const toMs = fromMs + HOUR_MS;
  const scope = { organizationId: ctx.organization.id, projectIds: [project.id] };
  const spent = await ctx.stores.events.countDetected(scope, { fromMs, toMs });
  return { spent, perHour: DETECTED_EVENTS_PER_HOUR_MAX, renewsAt: toMs };
}
