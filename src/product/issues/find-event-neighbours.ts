import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { EventKey } from '#storage/ports/events.ts';
import { findEventsOfIssue } from './issue-events.ts';

export type EventNeighbours = {
  /** The next older event of the issue; null at the oldest. */
  previousId: string | null;
  /** The next newer event of the issue; null at the latest. */
  nextId: string | null;
  /** 1-based, oldest first. */
  position: number;
  /** Events of the issue that are still stored. */
  total: number;
};

/** Where an event stands among the events of its issue. */
export async function findEventNeighbours(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId'>,
  event: EventKey,
): Promise<EventNeighbours> {
  requireRight(ctx, 'event:read');
  return ctx.stores.events.findNeighbours(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    event,
  );
}
