import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';

/** How long a change of the grouping can be undone. */
export const UNDO_DAYS = 30;
const CHANGES_PER_RUN_MAX = 1_000;

/** Lets go of what undo needs, once it is too late for that. Answers how many changes were forgotten. */
export async function forgetGroupingChanges(
  stores: Pick<Context['stores'], 'regroups' | 'regroupEvents'>,
  nowMs: number,
): Promise<number> {
  // The notes go first: a crash between leaves a change without notes, which the next run finds again.
  const old = await stores.regroups.listOld(nowMs - UNDO_DAYS * DAY_MS, CHANGES_PER_RUN_MAX);
  await stores.regroupEvents.forget(old);
  await stores.regroups.forget(old);
  return old.length;
}
