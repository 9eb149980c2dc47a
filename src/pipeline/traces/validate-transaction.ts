import { parseTimestamp } from '#protocol/timestamp.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { SPAN_DURATION_MAX_US } from '../telemetry/limits.ts';
import { parseSpanId, parseTraceId } from '../telemetry/trace-ids.ts';

/** What a transaction cannot be without. */
export type TransactionCore = {
  traceId: string;
  spanId: string;
  /** Seconds since the epoch, as sent. */
  startedAt: number;
  endedAt: number;
};

/**
 * null when the reference refuses it too: without a time to begin and to end, ending before it begins, without a trace
 * context or one of its ids. Source: relay-event-normalization/src/validation.rs, `validate_transaction`.
 */
export function validateTransaction(sent: Source): TransactionCore | null {
  const endedAt = parseTimestamp(sent.timestamp);
  const startedAt = parseTimestamp(sent.start_timestamp);
  if (startedAt === null || endedAt === null || endedAt < startedAt) return null;
  if ((endedAt - startedAt) * 1_000_000 > SPAN_DURATION_MAX_US) return null;
  const trace = isSource(sent.contexts) ? sent.contexts.trace : undefined;
  if (!isSource(trace)) return null;
  const traceId = parseTraceId(trace.trace_id);
  const spanId = parseSpanId(trace.span_id);
  return traceId === null || spanId === null ? null : { traceId, spanId, startedAt, endedAt };
}
