'use server';

import { addComment, deleteComment, editComment } from '#product/comments/comments.ts';
import { type ActionResult, changeIssue, type IssuePlace } from '../people/on-issue.ts';

export async function addCommentAction(place: IssuePlace, text: string): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => addComment(ctx, issue, { text }));
}

export async function editCommentAction(
  place: IssuePlace,
  commentId: number,
  text: string,
): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => editComment(ctx, issue, { commentId, text }));
}

export async function deleteCommentAction(place: IssuePlace, commentId: number): Promise<ActionResult> {
  return changeIssue(place, (ctx, issue) => deleteComment(ctx, issue, { commentId }));
}
