import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE } from '#app/api/0/query.ts';
import type { LoadPage } from '#app/api/0/reply.ts';
import { ACTIVITY, serializeActivity } from '#app/api/0/shapes/activity.ts';
import type { Issue } from '#domain/issues/issue.ts';
import {
  addComment,
  COMMENT_CHARACTERS_MAX,
  deleteComment,
  editComment,
} from '#product/comments/comments.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';

/** Whom the text mentions is read from the text itself. */
const COMMENT = z.object({ text: z.string().max(COMMENT_CHARACTERS_MAX * 2) });

/** Sentry's own pages call them notes. */
const COMMENTS = [
  'issues/[issue]/comments',
  'issues/[issue]/notes',
  'organizations/[org]/issues/[issue]/comments',
  'organizations/[org]/issues/[issue]/notes',
] as const;
const ONE_COMMENT = [
  'issues/[issue]/comments/[comment]',
  'issues/[issue]/notes/[comment]',
  'organizations/[org]/issues/[issue]/comments/[comment]',
  'organizations/[org]/issues/[issue]/notes/[comment]',
] as const;

export const commentOperations: readonly Operation[] = [
  /** Comments of an issue, newest first. */
  get(COMMENTS, {
    summary: 'Lists the comments on an issue',
    scopes: ['event:read'],
    query: { ...PAGE },
    answer: z.array(ACTIVITY),
    isPaged: true,
    handle: async ({ ctx, issue, query, page }) => page(loadActivities(ctx, issue, 'comments', query.limit)),
  }),

  post(COMMENTS, {
    summary: 'Adds a comment to an issue',
    scopes: ['event:write'],
    body: COMMENT,
    answer: ACTIVITY,
    status: 201,
    handle: async ({ ctx, issue, body }) => serializeActivity(await addComment(ctx, issue, body)),
  }),

  put(ONE_COMMENT, {
    summary: 'Updates one of your comments',
    scopes: ['event:write'],
    body: COMMENT,
    answer: ACTIVITY,
    async handle({ ctx, issue, params, body }) {
      const commentId = readCommentId(params);
      return serializeActivity(await editComment(ctx, issue, { commentId, ...body }));
    },
  }),

  del(ONE_COMMENT, {
    summary: 'Deletes one of your comments',
    scopes: ['event:write'],
    answer: null,
    handle: async ({ ctx, issue, params }) => deleteComment(ctx, issue, { commentId: readCommentId(params) }),
  }),

  /** Everything that happened to an issue, newest first. */
  get(['issues/[issue]/activities', 'organizations/[org]/issues/[issue]/activities'], {
    summary: "Lists an issue's activity",
    scopes: ['event:read'],
    query: { ...PAGE },
    answer: z.object({ activity: z.array(ACTIVITY) }),
    isPaged: true,
    async handle({ ctx, issue, query, page }) {
      const reply = await page(loadActivities(ctx, issue, null, query.limit));
      return reply.wrap((activity) => ({ activity }));
    },
  }),
];

const readCommentId = ({ comment }: { comment: string }): number =>
  readPathNumber(comment, `The issue has no comment "${comment.slice(0, 40)}"`);

const loadActivities =
  (ctx: Context, issue: Issue, only: 'comments' | null, limit: number): LoadPage =>
  async (cursor) => {
    const { activities, nextCursor } = await listActivities(ctx, issue, { only, cursor, limit });
    return { rows: activities.map(serializeActivity), nextCursor };
  };
