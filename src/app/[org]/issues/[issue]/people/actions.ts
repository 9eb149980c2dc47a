'use server';

import { findAssignee } from '#product/assignment/assignees.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { addLink, removeLink } from '#product/issue-links/issue-links.ts';
import { setUserState, type UserStateChange } from '#product/issue-user-state/user-state.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { getServices } from '#product/services.ts';
import { shareIssue, stopSharing } from '#product/sharing/sharing.ts';
import {
  createTrackerIssue,
  draftTrackerIssue,
  findTrackerIssues,
  linkTrackerIssue,
  listTrackerProjects,
} from '#product/trackers/link-tracker-issue.ts';
import type { TrackerKind } from '#product/trackers/tracker-kinds.ts';
import { type ActionResult, type IssuePlace, onIssue } from './on-issue.ts';

/** `assignee` is `user:<id>`, `team:<id>`, or null for nobody. Answers who it was before, in the same words. */
export async function assignAction(
  place: IssuePlace,
  assignee: string | null,
): Promise<ActionResult<string | null>> {
  return onIssue(place, async (ctx, issue) => {
    const change = assignee === null ? { assigneeUserId: null } : await findAssignee(ctx, assignee);
    await updateIssues(ctx, { issueIds: [issue.id], change });
    if (issue.assigneeTeam) return `team:${issue.assigneeTeam.teamId}`;
    return issue.assignee && `user:${issue.assignee.userId}`;
  });
}

export async function setUserStateAction(place: IssuePlace, change: UserStateChange): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await setUserState(ctx, { issueIds: [issue.id], change });
    return null;
  });
}

export async function addLinkAction(
  place: IssuePlace,
  link: { url: string; title: string },
): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await addLink(ctx, issue, link);
    return null;
  });
}

export async function removeLinkAction(place: IssuePlace, linkId: number): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await removeLink(ctx, issue, linkId);
    return null;
  });
}

/** Answers the address, which nobody can be told a second time. */
export async function shareAction(place: IssuePlace, days: number): Promise<ActionResult<string>> {
  return onIssue(place, async (ctx, issue) => (await shareIssue(ctx, issue, { days })).url);
}

export async function stopSharingAction(place: IssuePlace): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await stopSharing(ctx, issue);
    return null;
  });
}

/** The page of the issue is gone afterwards: whoever calls leads away from it. */
export async function deleteIssueAction(place: IssuePlace, discard: boolean): Promise<ActionResult> {
  return onIssue(
    place,
    async (ctx, issue) => {
      await deleteIssues(ctx, { issueIds: [issue.id], discard });
      return null;
    },
    { refreshes: false },
  );
}

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
