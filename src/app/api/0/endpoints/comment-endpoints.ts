import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { ACTIVITY } from '#app/api/0/schemas/activity.ts';
import { serializeActivity } from '#app/api/0/serializers/serialize-activity.ts';
import { notFound } from '#lib/errors.ts';
import {
  addComment,
  COMMENT_CHARACTERS_MAX,
  deleteComment,
  editComment,
} from '#product/comments/comments.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { findIssue, type IssueParams } from './find-issue.ts';

type CommentParams = IssueParams & { comment: string };

/** Whom the text mentions is read from the text itself. */
const COMMENT = z.object({ text: z.string().max(COMMENT_CHARACTERS_MAX * 2) });

const LIST_COMMENTS = {
  summary: 'Lists the comments of an issue',
  scopes: ['event:read'],
  query: { ...PAGE },
  answer: z.array(ACTIVITY),
  isPaged: true,
} satisfies Operation;

/** Comments of an issue, newest first. */
export const listCommentsEndpoint = declare<IssueParams>(LIST_COMMENTS, async ({ caller, params, url }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const limit = readLimit(url);
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { activities, nextCursor } = await listActivities(ctx, issue, { only: 'comments', cursor, limit });
    return { rows: activities.map(serializeActivity), nextCursor };
  });
});

const ADD_COMMENT = {
  summary: 'Adds a comment to an issue',
  scopes: ['event:write'],
  body: COMMENT,
  answer: ACTIVITY,
  status: 201,
} satisfies Operation;

export const addCommentEndpoint = declare<IssueParams>(ADD_COMMENT, async ({ caller, params, request }) => {
  const { ctx, issue } = await findIssue(caller, params);
  const { text } = await readJsonBody(request, COMMENT);
  return { body: serializeActivity(await addComment(ctx, issue, { text })), status: 201 };
});

const EDIT_COMMENT = {
  summary: 'Changes a comment of your own',
  scopes: ['event:write'],
  body: COMMENT,
  answer: ACTIVITY,
} satisfies Operation;

export const editCommentEndpoint = declare<CommentParams>(
  EDIT_COMMENT,
  async ({ caller, params, request }) => {
    const { ctx, issue } = await findIssue(caller, params);
    const commentId = readCommentId(params);
    const { text } = await readJsonBody(request, COMMENT);
    return { body: serializeActivity(await editComment(ctx, issue, { commentId, text })) };
  },
);

const DELETE_COMMENT = {
  summary: 'Deletes a comment of your own',
  scopes: ['event:write'],
  answer: null,
} satisfies Operation;

export const deleteCommentEndpoint = declare<CommentParams>(DELETE_COMMENT, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  await deleteComment(ctx, issue, { commentId: readCommentId(params) });
  return { body: null, status: 204 };
});

const LIST_ACTIVITIES = {
  summary: 'Lists what happened to an issue',
  scopes: ['event:read'],
  query: { ...PAGE },
  answer: z.object({ activity: z.array(ACTIVITY) }),
  isPaged: true,
} satisfies Operation;

/** Everything that happened to an issue, newest first. */
export const listActivitiesEndpoint = declare<IssueParams>(
  LIST_ACTIVITIES,
  async ({ caller, params, url }) => {
    const { ctx, issue } = await findIssue(caller, params);
    const limit = readLimit(url);
    const answer = await answerPage(ctx.publicUrl, url, async (cursor) => {
      const { activities, nextCursor } = await listActivities(ctx, issue, { only: null, cursor, limit });
      return { rows: activities.map(serializeActivity), nextCursor };
    });
    return { ...answer, body: { activity: answer.body } };
  },
);

function readCommentId({ comment }: CommentParams): number {
  if (/^\d{1,15}$/.test(comment)) return Number(comment);
  throw notFound(`The issue has no comment "${comment.slice(0, 40)}"`);
}
