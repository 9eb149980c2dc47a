import type { Stores } from '#storage/ports/stores.ts';

/** How long an issue counts as new after it was first seen. */
const NEW_FOR_MS = 7 * 24 * 60 * 60 * 1000;
const ISSUES_PER_STEP = 1_000;
const STEPS_MAX = 1_000;

/** New issues become ongoing after seven days, in steps so that no transaction is long. */
export async function ageNewIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const aged = await stores.issues.ageNewIssues(nowMs - NEW_FOR_MS, ISSUES_PER_STEP);
    if (aged < ISSUES_PER_STEP) return;
  }
}
