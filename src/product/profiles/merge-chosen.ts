import { type MergedProfile, type OwnWeights, ProfileMerger } from '#domain/profiles/merge-profiles.ts';
import type { UnmappedFrames } from '#pipeline/symbolicate/javascript/symbolicate-profile.ts';
import type { Context } from '#product/context.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import type { ChosenProfile } from './choose-profiles.ts';
import { type FrameSymbols, type ProfilePart, readPart, sumUnmapped } from './profile-bodies.ts';

/** Bytes of all bodies that are merged at once. */
export const MERGED_BYTES_MAX = 48 * 1024 * 1024;
/** Bytes of one body; larger ones are left out. */
export const MERGED_PROFILE_BYTES_MAX = 8 * 1024 * 1024;
/** After so long no further profile is begun. */
export const MERGE_MS_MAX = 4_000;
/** So long a merge waits for source maps. */
const SYMBOLS_WAIT_MS = 1_500;

export type MergedChoice = MergedProfile & {
  /** What the SDK calls the language; empty with no profile. */
  platform: string;
  /** Those that were merged, and the chunks that parts of were. */
  rows: readonly DigestedProfile[];
  /** Of those that were chosen: too large, in another format, deleted, or with too few samples. */
  leftOut: number;
  /** Bytes or time ran out before all that were chosen were merged. */
  isCutShort: boolean;
  unmapped: readonly UnmappedFrames[];
};

/** A transaction under way: chunks add to it one after the other. */
type During = Extract<ChosenProfile, { kind: 'during' }> & { own: OwnWeights };

/** Each body is read once, also a chunk that saw several of the transactions. */
export async function mergeProfiles(
  ctx: Context,
  symbols: FrameSymbols,
  chosen: readonly ChosenProfile[],
): Promise<MergedChoice> {
  const platform = platformOf(chosen);
  const merger = new ProfileMerger(platform);
  const reader = new BodyReader(ctx, symbols);
  const merged: DigestedProfile[] = [];
  const unmapped: { unmapped: readonly UnmappedFrames[] }[] = [];
  const during = new Map<ChosenProfile, During>();
  for (const each of chosen) if (each.kind === 'during') during.set(each, { ...each, own: new Map() });
  const readChunks = new Set<string>();
  let leftOut = 0;
  for (const each of chosen) {
    if (each.kind === 'whole') {
      const part = await reader.read(each.row);
      if (reader.isCutShort) break;
      if (part && merger.add(part.parsed)) {
        merged.push(each.row);
        unmapped.push(part);
      } else leftOut += 1;
      continue;
    }
    for (const chunk of each.chunks) {
      if (readChunks.has(chunk.profileId)) continue;
      const part = await reader.read(chunk);
      if (reader.isCutShort) break;
      readChunks.add(chunk.profileId);
      if (part && weighChunk(merger, part, during.values())) {
        merged.push(chunk);
        unmapped.push(part);
      }
    }
    if (reader.isCutShort) break;
  }
  for (const { own, chunks } of during.values()) {
    const isRead = chunks.every(({ profileId }) => readChunks.has(profileId));
    if (!merger.addWeights(own) && isRead) leftOut += 1;
  }
  return {
    ...merger.finish(),
    platform,
    rows: merged,
    leftOut,
    isCutShort: reader.isCutShort,
    unmapped: sumUnmapped(unmapped),
  };
}

function platformOf([first]: readonly ChosenProfile[]): string {
  const row = first?.kind === 'during' ? first.chunks[0] : first?.row;
  return row?.platform ?? '';
}

/** Whether it saw anything of the transactions. */
function weighChunk(
  merger: ProfileMerger,
  { row, parsed, shiftUs }: ProfilePart,
  during: Iterable<During>,
): boolean {
  let hasSeen = false;
  for (const { transaction, chunks, own } of during) {
    if (!chunks.includes(row)) continue;
    const { threadId, startedAtUs, endedAtUs } = transaction;
    merger.weigh(parsed, { threadId, fromUs: startedAtUs, toUs: endedAtUs, shiftUs }, own);
    hasSeen ||= own.size > 0;
  }
  return hasSeen;
}

/** Reads bodies until they are too many, or it has taken too long. */
class BodyReader {
  isCutShort = false;
  readonly #ctx: Context;
  readonly #symbols: FrameSymbols;
  readonly #endsAt = performance.now() + MERGE_MS_MAX;
  readonly #budget = { leftMs: SYMBOLS_WAIT_MS };
  #bytesLeft = MERGED_BYTES_MAX;

  constructor(ctx: Context, symbols: FrameSymbols) {
    this.#ctx = ctx;
    this.#symbols = symbols;
  }

  /** null when it cannot be read, or no more may be. */
  async read(row: DigestedProfile): Promise<ProfilePart | null> {
    this.isCutShort = performance.now() > this.#endsAt;
    if (this.isCutShort) return null;
    const bytes = await this.#ctx.stores.blobs.size(row.blobKey);
    if (bytes === null || bytes > MERGED_PROFILE_BYTES_MAX) return null;
    this.isCutShort = bytes > this.#bytesLeft;
    if (this.isCutShort) return null;
    this.#bytesLeft -= bytes;
    return readPart(this.#ctx, row, bytes, { symbols: this.#symbols, budget: this.#budget });
  }
}
