import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { findEventsOfIssue } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { withIssues } from '#product/traces/traces.ts';
import { eventScope, selectProject, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import type { ReplayFilter, ReplaySort, ReplaySummary } from '#storage/ports/telemetry.ts';

/** Longest text that replays are searched for. */
export const REPLAY_SEARCH_CHARACTERS_MAX = 250;

/** Replays of the projects, of every visible one for none; the last begun first unless another order is asked for. */
export async function listReplays(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    cursor: string | null;
    limit: number;
    range?: Range | null;
    filter?: ReplayFilter;
    sort?: ReplaySort;
  },
): Promise<{ rows: readonly ReplaySummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const { limit, filter, sort } = input;
  if (filter && filter.text.length > REPLAY_SEARCH_CHARACTERS_MAX) {
    throw invalid(`Search for at most ${REPLAY_SEARCH_CHARACTERS_MAX} characters`, 'query');
  }
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const { rows, next } = await ctx.stores.telemetry.listReplays(scope, {
    limit,
    before,
    range,
    filter,
    sort,
  });
  return { rows, nextCursor: next && encodeCursor(next) };
}

/** Ids of replays that recorded an error of the issue, the newest first, at most `limit`. */
export async function listIssueReplays(
  ctx: Context,
  issue: Issue,
  limit: number,
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const events = await findEventsOfIssue(ctx, issue);
  return ctx.stores.telemetry.listIssueReplays(eventScope(ctx, [issue.projectId]), events, limit);
}

/** In any of the projects, in every visible one for none. Throws NotFound. */
export async function getReplay(
  ctx: Context,
  input: { projectSlugs: readonly string[]; replayId: string },
): Promise<ReplaySummary> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const replayId = parseEventId(input.replayId);
  const replay = replayId === null ? null : await ctx.stores.telemetry.findReplay(scope, replayId);
  if (!replay) throw replayNotFound(input.replayId);
  return replay;
}

/** The visible project that a replay belongs to. Throws NotFound. */
export async function findReplayProject(ctx: Context, replayId: string): Promise<Project> {
  const { projectId } = await getReplay(ctx, { projectSlugs: [], replayId });
  const project = (await selectProjects(ctx, [])).find(({ id }) => id === projectId);
  if (!project) throw replayNotFound(replayId);
  return project;
}

/** The errors of a replay that are stored, oldest first, each with its issue; null when that is gone. */
export async function listReplayErrors(
  ctx: Context,
  replay: Pick<ReplaySummary, 'errorIds'>,
): Promise<readonly { event: EventSummary; issue: Issue | null }[]> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, await selectProjects(ctx, []));
  return withIssues(ctx, await ctx.stores.telemetry.listReplayErrors(scope, replay.errorIds));
}

export const replayNotFound = (replayId: string) =>
  notFound(
    `Replay "${replayId.slice(0, 40)}" not found: it may still be processing, or past its retention period`,
  );

/** Where the recording of a replay lies, in its order. Throws NotFound when nothing of it is stored. */
export async function listReplaySegments(
  ctx: Context,
  input: { projectSlug: string; replayId: string },
): Promise<readonly DigestedReplaySegment[]> {
  requireRight(ctx, 'event:read');
  const project = await selectProject(ctx, input.projectSlug);
  const replayId = parseEventId(input.replayId);
  const segments =
    replayId === null
      ? []
      : await ctx.stores.telemetry.listReplaySegments(eventScope(ctx, [project.id]), replayId);
  if (segments.length === 0) throw replayNotFound(input.replayId);
  return segments;
}

/** The recording of one segment, else its video. Throws NotFound. */
export async function getReplaySegment(
  ctx: Context,
  input: { projectSlug: string; replayId: string; segmentId: number },
): Promise<DigestedReplaySegment> {
  const segments = await listReplaySegments(ctx, input);
  const own = segments.filter(({ segmentId }) => segmentId === input.segmentId);
  const segment = own.find(({ kind }) => kind === 'recording') ?? own[0];
  if (!segment) {
    throw notFound(`Replay "${input.replayId.slice(0, 40)}" has no segment ${input.segmentId}`);
  }
  return segment;
}
