import type { ItemContext, ItemOutcome, ItemResult } from './item.ts';

const FILTERED = { outcome: 'filtered', reason: 'discarded-hash' } as const;

/** Without the events of issues that were deleted together with their future: these are filtered. */
export function leaveOutDiscarded(
  result: ItemResult,
  { isDiscarded }: Pick<ItemContext, 'isDiscarded'>,
): ItemResult {
  if (!isDiscarded || result.events.length === 0) return result;
  const events = result.events.filter((event) => !isDiscarded(event.groupingHashes));
  const dropped = result.events.length - events.length;
  if (dropped === 0) return result;
  if (events.length === 0) {
    const outcomes = result.outcomes.map((each) =>
      each.outcome === 'accepted' ? { ...each, ...FILTERED } : each,
    );
    return { events: [], rows: {}, blobs: [], outcomes };
  }
  return { ...result, events, outcomes: moveQuantity(result.outcomes, dropped) };
}

/** A report of several events of which some are kept: so many of the accepted ones were filtered. */
function moveQuantity(outcomes: readonly ItemOutcome[], dropped: number): readonly ItemOutcome[] {
  const accepted = outcomes.find(({ outcome }) => outcome === 'accepted');
  if (!accepted) return outcomes;
  const rest = outcomes.filter((each) => each !== accepted);
  const kept = accepted.quantity - dropped;
  return [
    ...rest,
    ...(kept > 0 ? [{ ...accepted, quantity: kept }] : []),
    { ...accepted, ...FILTERED, quantity: dropped },
  ];
}
