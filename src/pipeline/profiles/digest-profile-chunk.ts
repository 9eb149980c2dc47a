import { blobKey } from '#protocol/blob-key.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader } from '../normalize/field-reader.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { isVersion, millisecondsOfNanos, platformOf, textOf } from './profile-fields.ts';
import type { ProfileSummary } from './profile-skimmer.ts';
import { readSummary } from './read-summary.ts';

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

  const key = item.blob?.key ?? blobKey(context.receivedAtMs, context.projectId, item.itemId);
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
    bytes: item.blob?.bytes ?? item.payload.length,
    blobKey: key,
  };
  return accepted('profile_chunk', { profiles: [row] }, 1, item.blob ? [] : [{ key, bytes: item.payload }]);
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
