import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

/** The issue of the error that each feedback is about, by the error's id; at most as many look-ups as there are rows. */
export async function findFeedbackIssues(
  ctx: Context,
  rows: readonly DigestedFeedback[],
): Promise<ReadonlyMap<string, Issue>> {
  requireRight(ctx, 'event:read');
  const about = new Map(
    rows.flatMap((row) => (row.associatedEventId === null ? [] : [[row.associatedEventId, row.projectId]])),
  );
  const found = await Promise.all(
    [...about].map(async ([eventId, projectId]) => {
      const event = await ctx.stores.events.findEvent(eventScope(ctx, [projectId]), eventId);
      const issue =
        event && (await ctx.stores.issues.findByHash(ctx.organization.id, projectId, event.groupingHash));
      return issue ? [[eventId, issue] as const] : [];
    }),
  );
  return new Map(found.flat());
}
