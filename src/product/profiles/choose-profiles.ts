import type { DigestedProfile } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ProfiledTransaction, ProfileQuery, TelemetryStore } from '#storage/ports/telemetry.ts';
import { CHUNK_MS_MAX, endOfProfile } from './profile-bodies.ts';

/** Profiles, and chunks of continuous ones, that are merged at once: a sample spread evenly over all that match. */
export const MERGED_PROFILES_MAX = 100;
/** Chunks of continuous profilers that are looked at for the transactions that they ran during. */
export const MERGED_CHUNKS_MAX = 400;
const US_PER_MS = 1_000;

/** What is merged: a whole profile, or of a continuous one what it saw of a transaction. */
export type ChosenProfile =
  | { kind: 'whole'; row: DigestedProfile }
  | { kind: 'during'; transaction: ProfiledTransaction; chunks: readonly DigestedProfile[] };

type Profiles = Pick<TelemetryStore, 'sampleProfiles' | 'sampleProfiledTransactions' | 'sampleChunks'>;

/** Some of the profiles that match, the same ones each time, and how many there are in all. */
export async function chooseProfiles(
  telemetry: Profiles,
  scope: EventScope,
  query: ProfileQuery,
): Promise<{ chosen: readonly ChosenProfile[]; total: number }> {
  const { transaction } = query;
  const [whole, during] = await Promise.all([
    telemetry.sampleProfiles(scope, { ...query, limit: MERGED_PROFILES_MAX }),
    transaction === null
      ? { rows: [], total: 0 }
      : telemetry.sampleProfiledTransactions(scope, { ...query, transaction, limit: MERGED_PROFILES_MAX }),
  ]);
  const total = whole.total + during.total;
  const share = total === 0 ? 0 : during.total / total;
  const duringMax = Math.round(Math.min(total, MERGED_PROFILES_MAX) * share);
  const transactions = during.rows.slice(0, duringMax);
  const chunks = await telemetry.sampleChunks(scope, {
    stretches: transactions.map(({ profilerId, startedAtUs, endedAtUs }) => ({
      profilerId,
      fromMs: startedAtUs / US_PER_MS - CHUNK_MS_MAX,
      toMs: endedAtUs / US_PER_MS,
    })),
    limit: MERGED_CHUNKS_MAX,
  });
  const rows = whole.rows.slice(0, MERGED_PROFILES_MAX - transactions.length);
  return {
    chosen: interleave(
      rows.map((row): ChosenProfile => ({ kind: 'whole', row })),
      transactions.map(
        (each): ChosenProfile => ({
          kind: 'during',
          transaction: each,
          chunks: chunks.filter((chunk) => isDuring(chunk, each)),
        }),
      ),
    ),
    total,
  };
}

const isDuring = (chunk: DigestedProfile, transaction: ProfiledTransaction): boolean =>
  chunk.projectId === transaction.projectId &&
  chunk.profilerId === transaction.profilerId &&
  chunk.occurredAt * US_PER_MS < transaction.endedAtUs &&
  endOfProfile(chunk) * US_PER_MS >= transaction.startedAtUs;

/** Both in turn, by how many each has: what comes first stays even when time or memory ends early. */
function interleave<Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] {
  const placed = [some, others].flatMap((items) =>
    items.map((item, index) => ({ item, at: (index + 1) / (items.length + 1) })),
  );
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
