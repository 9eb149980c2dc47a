import type { NormalizedEvent } from '#protocol/event.ts';
import { parseLevel } from '#protocol/level.ts';
import { parseTimestamp, toMicroseconds } from '#protocol/timestamp.ts';
import type { ItemContext } from '../item.ts';
import { FieldReader, isSource, type Source } from '../normalize/field-reader.ts';
import { NAME_CHARS_MAX, PROBLEMS_MAX, SMALL_JSON_LIMITS } from '../normalize/limits.ts';
import { normalizeOtherEvent } from '../normalize/normalize-event.ts';
import { MEASUREMENTS_MAX, METRIC_UNIT_CHARS_MAX, SPAN_DURATION_MAX_US } from '../telemetry/limits.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { numberOf } from './read-span.ts';

export const UNLABELED_TRANSACTION = '<unlabeled transaction>';

/** The normalized event of a transaction, without its spans, not yet scrubbed. */
export type TransactionPayload = Omit<NormalizedEvent, 'type'> & {
  type: 'transaction';
  transaction: string;
  /** Seconds since the epoch, after the clock rules. */
  start_timestamp: number;
  transaction_info: { source: string };
  measurements?: Measurements;
  breakdowns?: Readonly<Record<string, unknown>>;
};

/**
 * Normalizes a transaction that is valid, with the normalizers of events.
 * Source: relay-event-normalization/src/transactions/processor.rs.
 */
export function normalizeTransaction(
  sent: Source,
  core: TransactionCore,
  bytes: Uint8Array,
  unsafeText: boolean,
  context: ItemContext,
): TransactionPayload {
  const reader = new FieldReader(unsafeText);
  const event = normalizeOtherEvent(sent, { bytes, unsafeText, ...context });
  const measurements = readMeasurements(reader, sent);
  const nameSource = nameSourceOf(reader, sent);
  const breakdowns = reader.jsonObject(sent, 'breakdowns', '', SMALL_JSON_LIMITS);
  const errors = [...(event.errors ?? []), ...reader.problems].slice(0, PROBLEMS_MAX);
  return {
    ...event,
    type: 'transaction',
    level: parseLevel(sent.level) ?? 'info',
    transaction: event.transaction || UNLABELED_TRANSACTION,
    start_timestamp: toMicroseconds(event.timestamp - (core.endedAt - core.startedAt)),
    transaction_info: { source: nameSource },
    ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
    ...(breakdowns === undefined ? {} : { breakdowns }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

/** Where the name comes from: `route`, `url`, `task` …; `unknown` when the SDK does not say. */
function nameSourceOf(reader: FieldReader, sent: Source): string {
  const info = reader.object(sent, 'transaction_info', '');
  return (info && reader.text(info, 'source', 'transaction_info', NAME_CHARS_MAX)) || 'unknown';
}

type Measurements = Readonly<Record<string, { value: number; unit: string }>>;

/** Reads `measurements` of an event: named numbers with their units; the others go, with a reason. */
function readMeasurements(reader: FieldReader, event: Source): Measurements {
  const source = reader.object(event, 'measurements', '');
  const measurements: [string, { value: number; unit: string }][] = [];
  for (const [name, sent] of Object.entries(source ?? {})) {
    if (sent === null || name === '__proto__') continue;
    const value = isSource(sent) ? numberOf(sent.value) : undefined;
    if (value === undefined || !/^[a-zA-Z0-9_.-]{1,200}$/.test(name)) {
      reader.invalid('measurements', name, 'a name and a number', sent);
      continue;
    }
    if (measurements.length >= MEASUREMENTS_MAX) {
      reader.report('too_many_items', '', 'measurements', `kept the first ${MEASUREMENTS_MAX}`);
      break;
    }
    const unit = isSource(sent)
      ? reader.text(sent, 'unit', `measurements.${name}`, METRIC_UNIT_CHARS_MAX)
      : '';
    measurements.push([name, { value, unit: unit || 'none' }]);
  }
  return Object.fromEntries(measurements);
}

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
