import type { Context } from '#product/context.ts';
import { getTelemetry } from '#product/telemetry/get-telemetry.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { DigestedSpan, DigestedTransaction } from '#protocol/telemetry.ts';

/** A transaction has at most this many spans. */
const SPANS_MAX = 1_000;

export type TransactionWithSpans = {
  transaction: DigestedTransaction;
  /** Oldest first, without the root span; at most 1,000. */
  spans: readonly DigestedSpan[];
};

/** Throws NotFound when the project has no such transaction. */
export async function getTransaction(
  ctx: Context,
  { projectSlug, eventId }: { projectSlug: string; eventId: string },
): Promise<TransactionWithSpans> {
  const transaction = await getTelemetry(ctx, 'transactions', { projectSlug, id: eventId });
  const { rows } = await ctx.stores.telemetry.list('spans', eventScope(ctx, [transaction.projectId]), {
    limit: SPANS_MAX,
    before: null,
    range: null,
    filter: { transactionId: transaction.eventId, traceId: transaction.traceId },
  });
  return { transaction, spans: rows.filter(({ spanId }) => spanId !== transaction.spanId).reverse() };
}
