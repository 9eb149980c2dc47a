import { parseLevel } from '#protocol/level.ts';
import type { ItemContext } from '../item.ts';
import { FieldReader, type Source } from '../normalize/field-reader.ts';
import { NAME_CHARS_MAX, PROBLEMS_MAX, SMALL_JSON_LIMITS } from '../normalize/limits.ts';
import { normalizeEvent } from '../normalize/normalize-event.ts';
import { type Measurements, readMeasurements } from './read-measurements.ts';
import type { TransactionCore } from './validate-transaction.ts';

export const UNLABELED_TRANSACTION = '<unlabeled transaction>';

/** The normalized event of a transaction, without its spans, not yet scrubbed. */
export type TransactionPayload = Omit<ReturnType<typeof normalizeEvent>, 'type'> & {
  type: 'transaction';
  transaction: string;
  /** Seconds since the epoch, after the clock rules. */
  start_timestamp: number;
  transaction_info: { source: string };
  measurements?: Measurements;
  breakdowns?: Readonly<Record<string, unknown>>;
};

/** Fields of errors: a transaction has no use for them. */
const ERROR_FIELDS = ['exception', 'stacktrace', 'threads', 'logentry', 'message', 'fingerprint'] as const;

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
  const source: Record<string, unknown> = { ...sent };
  for (const key of ERROR_FIELDS) delete source[key];
  const event = normalizeEvent(source, { bytes, unsafeText, ...context });
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

const toMicroseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000_000;
