import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { serializeActivity } from '#app/api/0/serializers/serialize-activity.ts';
import { notFound } from '#lib/errors.ts';
import { addComment } from '#product/comments/add-comment.ts';
import { COMMENT_CHARACTERS_MAX } from '#product/comments/check-comment.ts';
import { deleteComment } from '#product/comments/delete-comment.ts';
import { editComment } from '#product/comments/edit-comment.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

type CommentParams = IssueParams & { comment: string };

/** Whom the text mentions is read from the text itself. */
const COMMENT = z.object({ text: z.string().max(COMMENT_CHARACTERS_MAX * 2) });

/** Comments of an issue, newest first. */
export const listCommentsEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params, url }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const limit = readLimit(url);
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { activities, nextCursor } = await listActivities(ctx, issue, { only: 'comments', cursor, limit });
    return { rows: activities.map(serializeActivity), nextCursor };
  });
};

export const addCommentEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { text } = await readJsonBody(request, COMMENT);
  return { body: serializeActivity(await addComment(ctx, issue, { text })), status: 201 };
};

export const editCommentEndpoint: ApiEndpoint<CommentParams> = async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const commentId = readCommentId(params);
  const { text } = await readJsonBody(request, COMMENT);
  return { body: serializeActivity(await editComment(ctx, issue, { commentId, text })) };
};

export const deleteCommentEndpoint: ApiEndpoint<CommentParams> = async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  await deleteComment(ctx, issue, { commentId: readCommentId(params) });
  return { body: null, status: 204 };
};

/** Everything that happened to an issue, newest first. */
export const listActivitiesEndpoint: ApiEndpoint<IssueParams> = async ({ caller, params, url }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const limit = readLimit(url);
  const answer = await answerPage(ctx.publicUrl, url, async (cursor) => {
    const { activities, nextCursor } = await listActivities(ctx, issue, { only: null, cursor, limit });
    return { rows: activities.map(serializeActivity), nextCursor };
  });
  return { ...answer, body: { activity: answer.body } };
};

function readCommentId({ comment }: CommentParams): number {
  if (/^\d{1,15}$/.test(comment)) return Number(comment);
  throw notFound(`The issue has no comment "${comment.slice(0, 40)}"`);
}
