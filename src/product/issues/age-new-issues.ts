import { WEEK_MS } from '#lib/time.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { inSteps } from './in-steps.ts';

/** How long an issue counts as new after it was first seen. */
const NEW_FOR_MS = WEEK_MS;

/** New issues become ongoing after seven days. */
export async function ageNewIssues(stores: Pick<Stores, 'issues'>, nowMs: number): Promise<void> {
  await inSteps((limit) => stores.issues.ageNewIssues(nowMs - NEW_FOR_MS, limit));
}
