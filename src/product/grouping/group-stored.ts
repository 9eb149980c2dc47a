import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import { describeEvent } from '#pipeline/title.ts';
import type { NormalizedEvent } from '#protocol/event.ts';

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
