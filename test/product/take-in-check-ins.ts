import { randomBytes } from 'node:crypto';
import type { IngestGap } from '#domain/monitors/monitor-state.ts';
import { advanceMonitors } from '#product/monitors/watch/advance-monitors.ts';
import { tellFacts } from '#product/monitors/watch/tell-facts.ts';
import { type DigestedCheckIn, TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import { queueCheckIns } from '#storage/postgres/digest/monitor-check-ins.ts';
import type { Product } from './open-product.ts';

/** What digest does with check-ins: their rows, and their places in the queue. */
export async function digestCheckIns(product: Product, checkIns: readonly DigestedCheckIn[]): Promise<void> {
  const none = Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows;
  await product.stores.telemetry.insert({ ...none, checkIns: [...checkIns] }, randomBytes(8).toString('hex'));
  await product.db.transaction().execute((transaction) => queueCheckIns(transaction, checkIns));
}

/** What the jobs role does, while everything that was received by now is known. */
export async function watchMonitors(product: Product, gaps: readonly IngestGap[] = []): Promise<void> {
  const { stores, clock } = product;
  await stores.ingestMarks.save('spool', {
    completeUntil: clock.nowMs,
    gaps,
    updatedAt: clock.nowMs,
  });
  await advanceMonitors(stores, () => clock.nowMs);
  await tellFacts(stores, clock.nowMs);
}
