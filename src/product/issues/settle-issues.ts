import { WEEK_MS } from '#lib/time.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { inSteps } from './in-steps.ts';

/** How long an issue counts as regressed or escalating. */
const URGENT_FOR_MS = WEEK_MS;

/** Regressed and escalating issues become ongoing when nobody closed them for seven days. */
export async function settleIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.settleIssues(nowMs - URGENT_FOR_MS, nowMs, limit));
}
