import type { TakenDelivery } from '#storage/ports/deliveries.ts';
import { ISSUES_NAMED_MAX, MAILS_PER_HOUR_MAX, METRICS_NAMED_MAX } from '#storage/ports/delivery-budgets.ts';
import { type DeliveryParts, LEASE_MS, MAIL_LEASE_MS } from './delivery-parts.ts';

/** Messages that are due, at most so many, and so many of them mails and reports; whoever takes them sends each of them. */
export async function takeDue(
  { stores, now, faults }: Pick<DeliveryParts, 'stores' | 'now' | 'faults'>,
  limit: number,
  { mailsMax, reportsMax }: { mailsMax: number; reportsMax: number } = { mailsMax: limit, reportsMax: limit },
): Promise<readonly TakenDelivery[]> {
  const nowMs = now();
  faults.reach('delivery-take');
  return await stores.deliveries.take(nowMs, {
    leaseUntil: nowMs + LEASE_MS,
    mailLeaseUntil: nowMs + MAIL_LEASE_MS,
    limit,
    mailsMax,
    reportsMax,
    issuesMax: ISSUES_NAMED_MAX,
    metricsMax: METRICS_NAMED_MAX,
    mailsPerHourMax: MAILS_PER_HOUR_MAX,
  });
}
