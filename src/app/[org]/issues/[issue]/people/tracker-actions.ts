'use server';

import { getServices } from '#product/services.ts';
import {
  createTrackerIssue,
  draftTrackerIssue,
  findTrackerIssues,
  linkTrackerIssue,
  listTrackerProjects,
} from '#product/trackers/link-tracker-issue.ts';
import type { TrackerKind } from '#product/trackers/tracker-kinds.ts';
import { type ActionResult, type IssuePlace, onIssue } from './on-issue.ts';

/** Where an issue can be made or looked for: a repository, a project, a team. */
export type ProjectChoice = { id: string; name: string };

export type FoundIssue = { key: string; title: string; stateName: string };

const READS = { refreshes: false };

export async function listTrackerProjectsAction(
  place: IssuePlace,
  trackerId: number,
  text: string,
): Promise<ActionResult<readonly ProjectChoice[]>> {
  return onIssue(
    place,
    (ctx) => listTrackerProjects(ctx, getServices().openTracker, { trackerId, text }),
    READS,
  );
}

export async function draftTrackerIssueAction(
  place: IssuePlace,
  kind: TrackerKind,
): Promise<ActionResult<{ title: string; body: string }>> {
  return onIssue(place, (ctx, issue) => draftTrackerIssue(ctx, issue, kind), READS);
}

export async function findTrackerIssuesAction(
  place: IssuePlace,
  search: { trackerId: number; projectId: string; text: string },
): Promise<ActionResult<readonly FoundIssue[]>> {
  return onIssue(
    place,
    async (ctx) =>
      (await findTrackerIssues(ctx, getServices().openTracker, search)).map(({ key, title, stateName }) => ({
        key,
        title,
        stateName,
      })),
    READS,
  );
}

/** Answers the key of the issue that was made. */
export async function createTrackerIssueAction(
  place: IssuePlace,
  draft: { trackerId: number; projectId: string; title: string; body: string },
): Promise<ActionResult<string>> {
  return onIssue(place, async (ctx, issue) => {
    const link = await createTrackerIssue(ctx, getServices().openTracker, issue, draft);
    return link.tracked?.key ?? link.title;
  });
}

export async function linkTrackerIssueAction(
  place: IssuePlace,
  link: { trackerId: number; reference: string },
): Promise<ActionResult<string>> {
  return onIssue(place, async (ctx, issue) => {
    const added = await linkTrackerIssue(ctx, getServices().openTracker, issue, link);
    return added.tracked?.key ?? added.title;
  });
}
