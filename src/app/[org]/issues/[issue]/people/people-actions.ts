'use server';

import { findAssignee } from '#product/assignment/assignees.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { addLink, removeLink } from '#product/issue-links/issue-links.ts';
import { setUserState, type UserStateChange } from '#product/issue-user-state/user-state.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { shareIssue, stopSharing } from '#product/sharing/sharing.ts';
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
