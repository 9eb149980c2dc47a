import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#storage/ports/stores.ts';

export const AUDIT_DAYS = 365;
const ROWS_PER_RUN_MAX = 100_000;
const STEP_ROWS = 5_000;

/** Entries older than a year go. Answers how many. */
export async function forgetAuditEntries(stores: Pick<Stores, 'audit'>, nowMs: number): Promise<number> {
  let gone = 0;
  while (gone < ROWS_PER_RUN_MAX) {
    const step = await stores.audit.deleteBefore(nowMs - AUDIT_DAYS * DAY_MS, STEP_ROWS);
    gone += step;
    if (step < STEP_ROWS) break;
  }
  return gone;
}
