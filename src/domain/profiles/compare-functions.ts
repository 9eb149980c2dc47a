import type { MergedFunction, MergedProfile } from './merge-profiles.ts';
import { keyAcrossReleases, type ProfileFrame } from './profile-frames.ts';

/** With fewer profiles on a side, nothing is said of a change. */
export const COMPARED_PROFILES_MIN = 5;
/** A function with fewer samples of its own on a side has no ratio; with fewer on both sides it has no change either. */
export const COMPARED_SAMPLES_MIN = 30;
/** Functions of one comparison: those that changed most. */
export const COMPARED_FUNCTIONS_MAX = 200;

/** What a function did on one side. */
export type FunctionShare = {
  /** Of all the time in which something ran, what was spent in the function itself: 0 to 1. */
  share: number;
  /** In the function itself, in microseconds for each merged profile. */
  selfUsPerProfile: number;
  /** Samples in which it was the innermost call. */
  samples: number;
};

export type ComparedFunction = {
  frame: ProfileFrame;
  before: FunctionShare;
  after: FunctionShare;
  /** How much the share grew, -1 to 1; null with too little to go by. */
  change: number | null;
  /** The share after by the share before; null with too little to go by. */
  ratio: number | null;
};

type Side = Pick<MergedProfile, 'functions' | 'profiles'> & {
  thread: Pick<MergedProfile['thread'], 'frames' | 'durationUs'>;
};

/**
 * Functions by how much the share of their own time changed: those that grew most first, then those that shrank, then
 * those with too few samples.
 */
export function compareFunctions(platform: string, before: Side, after: Side): readonly ComparedFunction[] {
  const rows = new Map<string, { frame: ProfileFrame; before?: MergedFunction; after?: MergedFunction }>();
  for (const [name, side] of [
    ['before', before],
    ['after', after],
  ] as const) {
    for (const row of side.functions) {
      const frame = side.thread.frames[row.frame];
      if (!frame || row.selfSamples === 0) continue;
      const key = keyAcrossReleases(platform, frame);
      rows.set(key, { ...rows.get(key), frame, [name]: row });
    }
  }
  const hasProfiles = Math.min(before.profiles, after.profiles) >= COMPARED_PROFILES_MIN;
  return [...rows.values()]
    .map((row) => compare(row.frame, shareOf(row.before, before), shareOf(row.after, after), hasProfiles))
    .toSorted(
      (a, b) =>
        Number(a.change === null) - Number(b.change === null) ||
        (b.change ?? 0) - (a.change ?? 0) ||
        b.after.share - a.after.share ||
        b.before.share - a.before.share,
    );
}

/** Of a long comparison what changed most either way, in its order; then what cannot be said anything of. */
export function mostChanged(rows: readonly ComparedFunction[]): readonly ComparedFunction[] {
  if (rows.length <= COMPARED_FUNCTIONS_MAX) return rows;
  const weight = ({ change, before, after }: ComparedFunction) =>
    change === null ? Math.max(before.share, after.share) - 1 : Math.abs(change);
  const kept = new Set(rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, COMPARED_FUNCTIONS_MAX));
  return rows.filter((row) => kept.has(row));
}

function shareOf(row: MergedFunction | undefined, { profiles, thread }: Side): FunctionShare {
  if (!row || profiles === 0) return { share: 0, selfUsPerProfile: 0, samples: 0 };
  return {
    share: thread.durationUs > 0 ? row.selfUs / thread.durationUs : 0,
    selfUsPerProfile: row.selfUs / profiles,
    samples: row.selfSamples,
  };
}

function compare(
  frame: ProfileFrame,
  before: FunctionShare,
  after: FunctionShare,
  hasProfiles: boolean,
): ComparedFunction {
  const isKnown = (side: FunctionShare) => side.samples >= COMPARED_SAMPLES_MIN;
  const hasChange = hasProfiles && (isKnown(before) || isKnown(after));
  const hasRatio = hasProfiles && isKnown(before) && isKnown(after);
  return {
    frame,
    before,
    after,
    change: hasChange ? after.share - before.share : null,
    ratio: hasRatio && before.share > 0 ? after.share / before.share : null,
  };
}
