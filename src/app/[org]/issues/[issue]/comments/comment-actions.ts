'use server';

import { addComment, deleteComment, editComment } from '#product/comments/comments.ts';
import { type ActionResult, type IssuePlace, onIssue } from '../people/on-issue.ts';

export async function addCommentAction(place: IssuePlace, text: string): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await addComment(ctx, issue, { text });
    return null;
  });
}

export async function editCommentAction(
  place: IssuePlace,
  commentId: number,
  text: string,
): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await editComment(ctx, issue, { commentId, text });
    return null;
  });
}

export async function deleteCommentAction(place: IssuePlace, commentId: number): Promise<ActionResult> {
  return onIssue(place, async (ctx, issue) => {
    await deleteComment(ctx, issue, { commentId });
    return null;
  });
}
