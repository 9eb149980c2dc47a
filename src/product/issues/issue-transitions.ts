import type { Stores } from '#product/stores.ts';
import { watchArchivedIssues } from './watch-archived-issues.ts';

/** How long an issue counts as new after it was first seen. */
const NEW_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** New issues become ongoing after seven days. */
export async function ageNewIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.ageNewIssues(nowMs - NEW_FOR_MS, limit));
}

/** How long an issue counts as regressed or escalating. */
const URGENT_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** Regressed and escalating issues become ongoing when nobody closed them for seven days. */
export async function settleIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.settleIssues(nowMs - URGENT_FOR_MS, nowMs, limit));
}

/** Brings back the archived issues whose date has come, whose condition is met, or which happen more than expected. */
export async function unarchiveIssues(
  stores: Pick<Stores, 'issues' | 'events'>,
  nowMs: number,
): Promise<{ due: number; escalated: number }> {
  const due = await inSteps((limit) => stores.issues.unarchiveDueIssues(nowMs, limit));
  return { due, escalated: await watchArchivedIssues(stores, nowMs) };
}

const ISSUES_PER_STEP = 1_000;

const STEPS_MAX = 1_000;

/** Repeats a step until it finds less than it may take, so that no transaction is long. Answers the sum. */
export async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = 0; count < STEPS_MAX; count++) {
    const done = await step(ISSUES_PER_STEP);
    total += done;
    if (done < ISSUES_PER_STEP) break;
  }
  return total;
}
