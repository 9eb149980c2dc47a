import type { OpenTracker, TrackerIssue, TrackerProject } from '#delivery/ports/tracker-client.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { answeredValue, reachTracker } from './reach-tracker.ts';

const PROJECTS_MAX = 50;
const ISSUES_MAX = 20;
const TEXT_CHARACTERS_MAX = 200;

/** Where issues can be made, by a part of the name. Throws NotFound, and Invalid with what the tracker said. */
export async function listTrackerProjects(
  ctx: Context,
  openTracker: OpenTracker,
  { trackerId, text }: { trackerId: number; text: string },
): Promise<readonly TrackerProject[]> {
  requireRight(ctx, 'event:write');
  const { client } = await reachTracker(ctx, openTracker, trackerId);
  return answeredValue(await client.listProjects(text.trim().slice(0, TEXT_CHARACTERS_MAX), PROJECTS_MAX));
}

/** Issues of one of its projects, by a part of the title, the newest first. Throws as above. */
export async function findTrackerIssues(
  ctx: Context,
  openTracker: OpenTracker,
  { trackerId, projectId, text }: { trackerId: number; projectId: string; text: string },
): Promise<readonly TrackerIssue[]> {
  requireRight(ctx, 'event:write');
  const { client } = await reachTracker(ctx, openTracker, trackerId);
  return answeredValue(
    await client.findIssues(projectId, text.trim().slice(0, TEXT_CHARACTERS_MAX), ISSUES_MAX),
  );
}
