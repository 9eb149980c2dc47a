import { type MergedProfile, ProfileMerger } from '#domain/profiles/merge-profiles.ts';
import { unavailable } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { UnmappedFrames } from '#pipeline/symbolicate/javascript/symbolicate-profile.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ProfiledRelease, ProfileQuery } from '#storage/ports/telemetry.ts';
import { type FrameSymbols, readPart, sumUnmapped } from './profile-bodies.ts';

/** Profiles, and chunks of continuous ones, that are merged at once: a sample spread evenly over all that match. */
export const MERGED_PROFILES_MAX = 100;
/** Bytes of all bodies that are merged at once. */
export const MERGED_BYTES_MAX = 48 * 1024 * 1024;
/** Bytes of one body; larger ones are left out. */
export const MERGED_PROFILE_BYTES_MAX = 8 * 1024 * 1024;
/** After so long no further profile is begun. */
export const MERGE_MS_MAX = 4_000;
/** Merges at once: each keeps the process busy. */
export const MERGES_AT_ONCE_MAX = 2;
/** Merges that wait for their turn; further ones are refused. */
export const MERGES_WAITING_MAX = 20;
/** So long a merge waits for source maps. */
const SYMBOLS_WAIT_MS = 1_500;
/** Releases that are listed. */
const RELEASES_MAX = 50;

/** Which profiles of a project are meant. */
export type MergeQuestion = {
  projectSlug: string;
  /** null for all profiles of the project, of continuous profiling too: its chunks name no transaction. */
  transaction: string | null;
  /** Empty for all. */
  environments: readonly string[];
  /** null for all. */
  release: string | null;
  range: Range;
};

export type OpenedMerge = MergedProfile & {
  projectId: number;
  /** What the SDK calls the language; empty with no profile. */
  platform: string;
  /** How many profiles match; those that are merged are some of them. */
  total: number;
  /** Those that were merged. */
  rows: readonly DigestedProfile[];
  /** Of those that were chosen: too large, in another format, deleted, or with too few samples. */
  leftOut: number;
  /** Bytes or time ran out before all that were chosen were merged. */
  isCutShort: boolean;
  unmapped: readonly UnmappedFrames[];
};

/** Profiles that match as one. Throws Invalid, NotFound for a project that is not visible, Unavailable when busy. */
export async function openMergedProfile(
  ctx: Context,
  symbols: FrameSymbols,
  question: MergeQuestion,
): Promise<OpenedMerge> {
  const { scope, query } = await openQuestion(ctx, question);
  const { rows, total } = await ctx.stores.telemetry.sampleProfiles(scope, {
    ...query,
    limit: MERGED_PROFILES_MAX,
  });
  const [projectId = 0] = scope.projectIds;
  return { ...(await inTurn(ctx, symbols, rows)), projectId, total };
}

/** The releases that have profiles, the latest first. Throws as `openMergedProfile`. */
export async function listProfiledReleases(
  ctx: Context,
  question: Omit<MergeQuestion, 'release'>,
): Promise<readonly ProfiledRelease[]> {
  const { scope, query } = await openQuestion(ctx, { ...question, release: null });
  return ctx.stores.telemetry.listProfiledReleases(scope, { ...query, limit: RELEASES_MAX });
}

async function openQuestion(
  ctx: Context,
  { projectSlug, ...query }: MergeQuestion,
): Promise<{ scope: EventScope; query: ProfileQuery }> {
  requireRight(ctx, 'event:read');
  checkRange(query.range);
  const project = await selectProject(ctx, projectSlug);
  return { scope: eventScope(ctx, [project]), query };
}

let waiting = 0;

async function inTurn(...args: Parameters<typeof mergeRows>): ReturnType<typeof mergeRows> {
  if (waiting >= MERGES_AT_ONCE_MAX + MERGES_WAITING_MAX) {
    throw unavailable('Too many profiles are being merged: try again in a moment');
  }
  waiting += 1;
  try {
    return await mergeInTurn(...args);
  } finally {
    waiting -= 1;
  }
}

const mergeInTurn = limitConcurrency(mergeRows, MERGES_AT_ONCE_MAX);

async function mergeRows(
  ctx: Context,
  symbols: FrameSymbols,
  rows: readonly DigestedProfile[],
): Promise<Omit<OpenedMerge, 'projectId' | 'total'>> {
  const platform = rows[0]?.platform ?? '';
  const merger = new ProfileMerger(platform);
  const merged: DigestedProfile[] = [];
  const unmapped: { unmapped: readonly UnmappedFrames[] }[] = [];
  const endsAt = performance.now() + MERGE_MS_MAX;
  const budget = { leftMs: SYMBOLS_WAIT_MS };
  let bytesLeft = MERGED_BYTES_MAX;
  let leftOut = 0;
  let isCutShort = false;
  for (const row of rows) {
    if (performance.now() > endsAt) {
      isCutShort = true;
      break;
    }
    const bytes = await ctx.stores.blobs.size(row.blobKey);
    if (bytes === null || bytes > MERGED_PROFILE_BYTES_MAX) {
      leftOut += 1;
      continue;
    }
    if (bytes > bytesLeft) {
      isCutShort = true;
      break;
    }
    bytesLeft -= bytes;
    const part = await readPart(ctx, row, bytes, { symbols, budget });
    if (part && merger.add(part.parsed)) {
      merged.push(row);
      unmapped.push(part);
    } else leftOut += 1;
  }
  return {
    ...merger.finish(),
    platform,
    rows: merged,
    leftOut,
    isCutShort,
    unmapped: sumUnmapped(unmapped),
  };
}
