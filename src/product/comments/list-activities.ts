import { z } from 'zod';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';

export type ActivityPage = { activities: readonly Activity[]; nextCursor: string | null };

/** What people and the system did to an issue, newest first; `comments` leaves only these. Throws Invalid. */
export async function listActivities(
  ctx: Context,
  issue: Issue,
  input: { only: 'comments' | null; cursor: string | null; limit: number },
): Promise<ActivityPage> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, CURSOR);
  const found = await ctx.stores.comments.listActivities(ctx.organization.id, issue.id, {
    limit: input.limit + 1,
    before,
    type: input.only === 'comments' ? 'note' : null,
  });
  const activities = found.slice(0, input.limit);
  const last = activities.at(-1);
  const nextCursor = found.length > input.limit && last ? encodeCursor({ at: last.at, id: last.id }) : null;
  return { activities, nextCursor };
}

/** null before anything happened. */
export async function findNewestActivityId(ctx: Context, issue: Issue): Promise<number | null> {
  const { activities } = await listActivities(ctx, issue, { only: null, cursor: null, limit: 1 });
  return activities[0]?.id ?? null;
}

const CURSOR = z.object({ at: z.number().int(), id: z.number().int().nonnegative() });
