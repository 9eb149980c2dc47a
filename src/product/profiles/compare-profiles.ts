import { type ComparedFunction, compareFunctions, mostChanged } from '#domain/profiles/compare-functions.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { type MergeQuestion, type OpenedMerge, openMergedProfile } from './open-merged-profile.ts';
import type { FrameSymbols } from './profile-bodies.ts';

/** What is on one side of a comparison: a release, or a range of time. */
export type ComparedSide = { release: string | null; range: Range };

export type ProfileComparison = {
  before: ComparedProfiles;
  after: ComparedProfiles;
  /** Those that grew most first. */
  functions: readonly ComparedFunction[];
  /** Of how many functions they are. */
  total: number;
};

/** How much a side has to go by. */
export type ComparedProfiles = ComparedSide &
  Pick<OpenedMerge, 'profiles' | 'samples' | 'total' | 'isCutShort'>;

/** The functions of a transaction, or of a project, on two sides. Throws as `openMergedProfile`. */
export async function compareProfiles(
  ctx: Context,
  symbols: FrameSymbols,
  {
    before,
    after,
    ...question
  }: Omit<MergeQuestion, 'release' | 'range'> & { before: ComparedSide; after: ComparedSide },
): Promise<ProfileComparison> {
  const [one, other] = await Promise.all([
    openMergedProfile(ctx, symbols, { ...question, ...before }),
    openMergedProfile(ctx, symbols, { ...question, ...after }),
  ]);
  const functions = compareFunctions(other.platform || one.platform, one, other);
  return {
    before: toSide(before, one),
    after: toSide(after, other),
    functions: mostChanged(functions),
    total: functions.length,
  };
}

const toSide = (
  side: ComparedSide,
  { profiles, samples, total, isCutShort }: OpenedMerge,
): ComparedProfiles => ({ ...side, profiles, samples, total, isCutShort });
