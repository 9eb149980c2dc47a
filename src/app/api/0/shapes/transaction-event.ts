import { z } from 'zod';
import { ANY_EVENT, serializeEvent } from '#app/api/0/shapes/event.ts';
import { secondsOfUs } from '#app/api/0/shapes/moments.ts';
import { serializeTransaction } from '#app/api/0/shapes/telemetry.ts';
import type { TransactionWithSpans } from '#product/traces/traces.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

export const TRANSACTION_EVENT = ANY_EVENT.extend({
  type: z.literal('transaction'),
  metadata: z.object({ title: z.string(), location: z.string() }),
  startTimestamp: z.number(),
  endTimestamp: z.number(),
  measurements: z.record(z.string(), z.number()),
}).meta({ id: 'TransactionEvent' });

/** A transaction as an event of its own type, its spans among its entries; it belongs to no issue. */
export function serializeTransactionEvent({ transaction, spans }: TransactionWithSpans) {
  const own = serializeTransaction(transaction);
  // What it holds besides its type is what every event holds.
  const payload = transaction.payload as unknown as NormalizedEvent;
  const event = serializeEvent(
    {
      eventId: transaction.eventId,
      projectId: transaction.projectId,
      groupingHash: '',
      title: transaction.name,
      message: '',
      culprit: transaction.name,
      level: payload.level ?? 'info',
      platform: transaction.platform,
      occurredAt: Math.floor(transaction.endedAtUs / 1_000),
      receivedAt: transaction.receivedAt,
      release: transaction.release,
      environment: transaction.environment,
      transaction: transaction.name,
      user: transaction.user,
      tags: transaction.tags,
      payload,
      isBodySampled: false,
    },
    null,
    { previousId: null, nextId: null },
  );
  return {
    ...event,
    type: own.type,
    metadata: { title: own.title, location: own.transaction },
    fingerprints: [],
    startTimestamp: own.startTimestamp,
    endTimestamp: own.endTimestamp,
    measurements: own.measurements,
    entries: [{ type: 'spans', data: spans.map(serializeChild) }, ...event.entries],
  };
}

/** A span the way that Sentry's SDKs write it. Source: https://develop.sentry.dev/sdk/data-model/event-payloads/span/ */
const serializeChild = (span: DigestedSpan) => ({
  trace_id: span.traceId,
  span_id: span.spanId,
  parent_span_id: span.parentSpanId,
  op: span.op,
  description: span.name,
  status: span.status,
  origin: span.origin,
  start_timestamp: secondsOfUs(span.startedAtUs),
  timestamp: secondsOfUs(span.startedAtUs + span.durationUs),
  data: span.attributes,
});
