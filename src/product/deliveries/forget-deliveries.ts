import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { LOG_DAYS } from './delivery-parts.ts';

const ROWS_MAX = 5_000;
const STEPS_MAX = 20;

/** Messages that were finished long ago leave the log. Answers how many. */
export async function forgetDeliveries(
  { deliveries }: Pick<Context['stores'], 'deliveries'>,
  nowMs: number,
): Promise<number> {
  let forgotten = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    const gone = await deliveries.forget(nowMs - LOG_DAYS * DAY_MS, ROWS_MAX);
    forgotten += gone;
    if (gone < ROWS_MAX) break;
  }
  return forgotten;
}
