import { unavailable } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ProfiledRelease, ProfileQuery } from '#storage/ports/telemetry.ts';
import { chooseProfiles } from './choose-profiles.ts';
import { type MergedChoice, mergeProfiles } from './merge-chosen.ts';
import type { FrameSymbols } from './profile-bodies.ts';

/** Merges at once: each keeps the process busy. */
export const MERGES_AT_ONCE_MAX = 2;
/** Merges that wait for their turn; further ones are refused. */
export const MERGES_WAITING_MAX = 20;
/** Releases that are listed. */
const RELEASES_MAX = 50;

/** Which profiles of a project are meant. */
export type MergeQuestion = {
  projectSlug: string;
  /**
   * What ran during its transactions, on their threads; null for all profiles of the project, of continuous profiling too.
   */
  transaction: string | null;
  /** Empty for all. */
  environments: readonly string[];
  /** null for all. */
  release: string | null;
  range: Range;
};

export type OpenedMerge = MergedChoice & {
  projectId: number;
  /**
   * How many profiles match, a transaction during which a continuous profiler ran as one; those that are merged are some
   * of them.
   */
  total: number;
};

/** Profiles that match as one. Throws Invalid, NotFound for a project that is not visible, Unavailable when busy. */
export async function openMergedProfile(
  ctx: Context,
  symbols: FrameSymbols,
  question: MergeQuestion,
): Promise<OpenedMerge> {
  const { scope, query } = await openQuestion(ctx, question);
  const { chosen, total } = await chooseProfiles(ctx.stores.telemetry, scope, query);
  const [projectId = 0] = scope.projectIds;
  return { ...(await inTurn(ctx, symbols, chosen)), projectId, total };
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

async function inTurn(...args: Parameters<typeof mergeProfiles>): ReturnType<typeof mergeProfiles> {
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

const mergeInTurn = limitConcurrency(mergeProfiles, MERGES_AT_ONCE_MAX);
