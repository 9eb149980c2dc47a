import { DAY_MS } from '#lib/time.ts';
import type { Stores } from '#storage/ports/stores.ts';

export const FIRING_DAYS = 90;
const ROWS_PER_RUN_MAX = 500_000;
const STEP_ROWS = 5_000;

/** Firings older than 90 days go. Answers how many. */
export async function forgetAlertFirings(
  { alertRules }: Pick<Stores, 'alertRules'>,
  nowMs: number,
): Promise<number> {
  let gone = 0;
  while (gone < ROWS_PER_RUN_MAX) {
    const step = await alertRules.forgetFirings(nowMs - FIRING_DAYS * DAY_MS, STEP_ROWS);
    gone += step;
    if (step < STEP_ROWS) break;
  }
  return gone;
}
