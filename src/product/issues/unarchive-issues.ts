import type { Stores } from '#storage/ports/stores.ts';
import { inSteps } from './in-steps.ts';
import { watchArchivedIssues } from './watch-archived-issues.ts';

/** Brings back the archived issues whose date has come, whose condition is met, or which happen more than expected. */
export async function unarchiveIssues(
  stores: Pick<Stores, 'issues' | 'events'>,
  nowMs: number,
): Promise<{ due: number; escalated: number }> {
  const due = await inSteps((limit) => stores.issues.unarchiveDueIssues(nowMs, limit));
  return { due, escalated: await watchArchivedIssues(stores, nowMs) };
}
