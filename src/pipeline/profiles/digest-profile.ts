import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded, storeBody } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader, isSource, type Source } from '../normalize/field-reader.ts';
import { trimmedText } from '../normalize/safe-text.ts';
import { originOf, parseTraceId } from '../telemetry/row-identity.ts';
import { type ProfileSummary, readSummary } from './profile-skimmer.ts';

/** Longer profiles of transactions are rejected. */
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

  const { blobs, ...body } = storeBody(item, context);
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
    ...body,
  };
  return accepted('profile', { profiles: [row] }, 1, blobs);
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

/**
 * A piece of a profiler that runs for as long as its program, in the sample format (version 2) or Android's.
 * Sources: relay-profiling/src/sample/v2.rs, src/android/chunk.rs; reasons as in src/outcomes.rs.
 */
export const digestProfileChunk: DigestItem = (item, context) => {
  const summary = readSummary(item);
  if (summary === null) return discarded('profile_chunk', 'profiling_invalid_json');
  const { fields, samples } = summary;
  const profilerId = parseEventId(fields.profiler_id);
  const chunkId = parseEventId(fields.chunk_id);
  const platform = platformOf(fields.platform) ?? platformOf(item.platform);
  if (profilerId === null || chunkId === null || platform === null) {
    return discarded('profile_chunk', 'profiling_invalid_json');
  }
  const isSample = isVersion(fields.version, 2);
  if (!isSample && platform !== 'android') {
    return discarded('profile_chunk', 'profiling_platform_not_supported');
  }
  if (isSample && samples === null) return discarded('profile_chunk', 'profiling_not_enough_samples');
  const release = textOf(fields.release);
  const filter = context.rules.filters.filterSender({ release, userAgent: null }, context);
  if (filter !== null) return discarded('profile_chunk', filter, 'filtered');

  const { blobs, ...body } = storeBody(item, context);
  const row: DigestedProfile = {
    ...originOf(context),
    profileId: chunkId,
    profilerId,
    kind: 'profile_chunk',
    platform,
    ...timeOf(summary, context),
    transactionName: null,
    traceId: null,
    release,
    environment: textOf(fields.environment),
    ...body,
  };
  return accepted('profile_chunk', { profiles: [row] }, 1, blobs);
};

/** Samples of version 2 have times of day, in seconds; Android says when a chunk began and how long it took. */
function timeOf(
  { fields, samples }: ProfileSummary,
  clock: { sentAtMs: number | null; receivedAtMs: number },
): Pick<DigestedProfile, 'occurredAt' | 'durationMs'> {
  const timestamp = samples?.first ?? fields.timestamp;
  const corrected = correctClock(new FieldReader(false), { timestamp }, clock);
  return {
    occurredAt: Math.round(corrected.timestamp * 1000),
    durationMs:
      samples === null
        ? millisecondsOfNanos(fields.duration_ns)
        : Math.max(0, Math.round((samples.last - samples.first) * 1_000_000) / 1000),
  };
}

/** Release, environment and transaction name of a profile, each. */
const TEXT_CHARS_MAX = 250;
const PLATFORM = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const textOf = (value: unknown): string | null => trimmedText(value, TEXT_CHARS_MAX);

/** Lower-case; null when it is no platform's name. */
function platformOf(value: unknown): string | null {
  const name = textOf(value)?.toLowerCase() ?? '';
  return PLATFORM.test(name) ? name : null;
}

/** A count of nanoseconds, also written as text, in milliseconds; null for anything else. */
function millisecondsOfNanos(value: unknown): number | null {
  const nanoseconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof nanoseconds === 'number' && Number.isFinite(nanoseconds) && nanoseconds >= 0
    ? nanoseconds / 1_000_000
    : null;
}

/** Whether the format's version is this one; SDKs send it as text or as a number. */
const isVersion = (value: unknown, version: number): boolean =>
  value === version || value === String(version);
