import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { EventNeighbors, StoredEvent } from '#storage/ports/events.ts';
import { findEventNeighbors, getEventBeside, type IssueEventFilter } from './issue-events.ts';

export type ShownEvent = {
  event: StoredEvent;
  /** Among the events that the filter leaves; among all of the issue for an event outside the filter. */
  neighbors: EventNeighbors;
  isOutside: boolean;
};

/**
 * The event that the page of an issue shows: as `findIssueEvent`, and one from outside the filter where that leaves none. null when the
 * issue has no such event, or no longer has it. `counting` is how many events the filter leaves, which the page counts
 * anyway; null where that is not known.
 */
export async function findShownEvent(
  ctx: Context,
  issue: Issue,
  which: string,
  filter: IssueEventFilter,
  counting: Promise<number | null>,
): Promise<ShownEvent | null> {
  const within = await getEventBeside(ctx, issue, which, filter);
  const found = within ?? (await getEventBeside(ctx, issue, which));
  if (!found) return null;
  const { event, beside } = found;
  const isOutside = within === null || ('total' in beside && beside.position === 0);
  if (isOutside) return { event, neighbors: await findEventNeighbors(ctx, issue, event), isOutside };
  if ('total' in beside) return { event, neighbors: beside, isOutside };
  const counted = await counting;
  if (counted === null) {
    return { event, neighbors: await findEventNeighbors(ctx, issue, event, filter), isOutside };
  }
  const total = Math.max(1, counted);
  return { event, neighbors: { ...beside, position: which === 'oldest' ? 1 : total, total }, isOutside };
}
