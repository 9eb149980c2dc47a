import { blobKey } from '#protocol/blob-key.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader, isSource, type Source } from '../normalize/field-reader.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { parseTraceId } from '../telemetry/trace-ids.ts';
import { isVersion, millisecondsOfNanos, platformOf, textOf } from './profile-fields.ts';
import type { ProfileSummary } from './profile-skimmer.ts';
import { readSummary } from './read-summary.ts';

/** Transactions are not profiled for longer. */
const DURATION_MAX_MS = 30_000;

/**
 * The profile of one transaction, in the sample format (version 1) or as Android sent it before. What pages list is read
 * of its head; the body goes to the blob store as it is.
 * Sources: relay-profiling/src/lib.rs, src/sample/v1.rs, src/android/legacy.rs; reasons as in src/outcomes.rs.
 */
export const digestProfile: DigestItem = (item, context) => {
  const summary = readSummary(item);
  if (summary === null) return discarded('profile', 'profiling_invalid_json');
  const { fields } = summary;
  const profileId = parseEventId(fields.event_id) ?? parseEventId(fields.profile_id);
  const platform = platformOf(fields.platform);
  if (profileId === null || platform === null) return discarded('profile', 'profiling_invalid_json');
  const isSample = isVersion(fields.version, 1);
  if (!isSample && platform !== 'android') return discarded('profile', 'profiling_platform_not_supported');
  const transaction = transactionOf(fields);
  if (transaction === null) return discarded('profile', 'profiling_no_transaction_associated');
  const durationMs = isSample ? durationOfSamples(summary) : millisecondsOfNanos(fields.duration_ns);
  if (isSample && durationMs === null) return discarded('profile', 'profiling_not_enough_samples');
  if (durationMs !== null && durationMs > DURATION_MAX_MS) {
    return discarded('profile', 'profiling_duration_is_too_long');
  }

  const key = item.blob?.key ?? blobKey(context.receivedAtMs, context.projectId, item.itemId);
  const { timestamp } = correctClock(new FieldReader(false), fields, context);
  const row: DigestedProfile = {
    ...originOf(context),
    profileId,
    profilerId: null,
    kind: 'profile',
    platform,
    occurredAt: Math.round(timestamp * 1000),
    durationMs,
    transactionName: transaction.name,
    traceId: transaction.traceId,
    release: textOf(fields.release),
    environment: textOf(fields.environment),
    bytes: item.blob?.bytes ?? item.payload.length,
    blobKey: key,
  };
  return accepted('profile', { profiles: [row] }, 1, item.blob ? [] : [{ key, bytes: item.payload }]);
};

/** The transaction that was profiled, in each of the three places that SDKs put it; null without a name and an id. */
function transactionOf(fields: Source): { name: string | null; traceId: string | null } | null {
  const [first] = Array.isArray(fields.transactions) ? (fields.transactions as readonly unknown[]) : [];
  const sent = isSource(fields.transaction) ? fields.transaction : isSource(first) ? first : null;
  const transaction = sent ?? {
    name: fields.transaction_name,
    id: fields.transaction_id,
    trace_id: fields.trace_id,
  };
  const name = textOf(transaction.name);
  if (sent === null && name === null) return null;
  return { name, traceId: parseTraceId(transaction.trace_id) };
}

function durationOfSamples({ samples }: ProfileSummary): number | null {
  return samples === null || samples.count < 2 ? null : millisecondsOfNanos(samples.last);
}
