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
import { type ActionResult, changeIssue, type IssuePlace, onIssue, readIssue } from './on-issue.ts';

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
  return changeIssue(place, (ctx, issue) => setUserState(ctx, { issueIds: [issue.id], change }));
}

export async function addLinkAction(
  place: IssuePlace,
  link: { url: string; title: string },
): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => addLink(ctx, issue, link));
}

export async function removeLinkAction(place: IssuePlace, linkId: number): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => removeLink(ctx, issue, linkId));
}

/** Answers the address, which nobody can be told a second time. */
export async function shareAction(place: IssuePlace, days: number): Promise<ActionResult<string>> {
  return onIssue(place, async (ctx, issue) => (await shareIssue(ctx, issue, { days })).url);
}

export async function stopSharingAction(place: IssuePlace): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => stopSharing(ctx, issue));
}

/** The page of the issue is gone afterwards: whoever calls leads away from it. */
export async function deleteIssueAction(place: IssuePlace, discard: boolean): Promise<ActionResult> {
  return readIssue(place, async (ctx, issue) => {
    await deleteIssues(ctx, { issueIds: [issue.id], discard });
    return null;
  });
}

/** Where an issue can be made or looked for: a repository, a project, a team. */
export type ProjectChoice = { id: string; name: string };

export type FoundIssue = { key: string; title: string; stateName: string };

export async function listTrackerProjectsAction(
  place: IssuePlace,
  trackerId: number,
  text: string,
): Promise<ActionResult<readonly ProjectChoice[]>> {
  return readIssue(place, (ctx) => listTrackerProjects(ctx, getServices().openTracker, { trackerId, text }));
}

export async function draftTrackerIssueAction(
  place: IssuePlace,
  kind: TrackerKind,
): Promise<ActionResult<{ title: string; body: string }>> {
  return readIssue(place, (ctx, issue) => draftTrackerIssue(ctx, issue, kind));
}

export async function findTrackerIssuesAction(
  place: IssuePlace,
  search: { trackerId: number; projectId: string; text: string },
): Promise<ActionResult<readonly FoundIssue[]>> {
  return readIssue(place, async (ctx) =>
    (await findTrackerIssues(ctx, getServices().openTracker, search)).map(({ key, title, stateName }) => ({
      key,
      title,
      stateName,
    })),
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
