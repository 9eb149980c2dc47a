import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Grouping, GroupingRules, GroupingVariant } from '#pipeline/grouping/grouping-types.ts';
import { describeEvent } from '#pipeline/title.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** For pages: how an event is grouped, and one way of it. */
export type EventGrouping = Grouping;
export type EventVariant = GroupingVariant;

/** How the project's current rules group an event, and why; null when its body was not kept. */
export async function explainGrouping(ctx: Context, event: StoredEvent): Promise<EventGrouping | null> {
  requireRight(ctx, 'event:read');
  if (event.isBodySampled) return null;
  const texts = await ctx.stores.groupingRules.findActive(ctx.organization.id, event.projectId);
  return groupEvent(event.payload, compileGroupingRules(texts).rules);
}

/** The hash that digest would store the event with by these rules, and what the event would be called. */
export function groupStored(
  payload: NormalizedEvent,
  rules: GroupingRules,
): { hash: string; title: () => string } {
  const grouping = groupEvent(payload, rules);
  const [hash] = grouping.hashes;
  if (hash === undefined) throw new Error('An event has no hash');
  return { hash, title: () => grouping.title ?? describeEvent(payload).title };
}
