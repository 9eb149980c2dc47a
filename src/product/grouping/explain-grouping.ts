import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Grouping, GroupingVariant } from '#pipeline/grouping/grouping-types.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** For pages: how an event is grouped, and one way of it. */
export type EventGrouping = Grouping;
export type EventVariant = GroupingVariant;

/**
 * How the project's rules of now group an event, with everything that counted and why; null for one whose body was not
 * kept.
 */
export async function explainGrouping(ctx: Context, event: StoredEvent): Promise<EventGrouping | null> {
  requireRight(ctx, 'event:read');
  if (event.isBodySampled) return null;
  const texts = await ctx.stores.groupingRules.findActive(ctx.organization.id, event.projectId);
  return groupEvent(event.payload, compileGroupingRules(texts).rules);
}
